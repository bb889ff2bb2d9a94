/** What becomes of an article: published, or scheduled, moved and called off. */
import type { DeliveryWorld } from '../../test/support/delivery.ts';
import { eventually } from '../../test/support/eventually.ts';
import { beginStory, faultsBegun, inSeconds, outboxEmpty, publishStory, type Scenario } from './story.ts';

export function articleScenarios(world: DeliveryWorld): Scenario[] {
  const publish = async (frontmatter: object = {}) =>
    publishStory(world, await beginStory(world, 'blogsite_a'), frontmatter);

  return [
    {
      name: 'article-published',
      async play() {
        const story = await publish();
        return story.articleEnds();
      },
    },
    {
      name: 'article-scheduled',
      async play() {
        const story = await publish({ scheduled_at: inSeconds(2) });
        await story.reaches('delivered');
        return story.articleEnds();
      },
    },
    {
      // Less than an hour away, it is looked ahead at once; then it comes sooner than was said.
      name: 'article-rescheduled',
      async play() {
        const story = await publish({ scheduled_at: inSeconds(1_800) });
        await eventually('the look ahead', async () => {
          const rows = world.api.db.selectFrom('articles').select('remindedFor').where('id', '=', story.id);
          return (await rows.executeTakeFirst())?.remindedFor;
        });
        await story.publish({ scheduled_at: inSeconds(2) });
        await story.reaches('delivered');
        return story.articleEnds();
      },
    },
    {
      name: 'article-cancelled',
      async play() {
        const story = await publish({ scheduled_at: inSeconds(1_800) });
        await story.publish({ draft: true });
        return story.articleEnds();
      },
    },
    {
      // Its destination is slow to say whether it would take it; the change does not wait for that.
      name: 'article-cancelled-while-looking-ahead',
      async play() {
        const slow = { action: 'probe', delayMs: 1_200 } as const;
        const story = await publishStory(world, await beginStory(world, 'blogsite_a', slow), {
          scheduled_at: inSeconds(1_800),
        });
        await faultsBegun(world);
        await story.publish({ draft: true });
        return story.articleEnds();
      },
    },
    {
      name: 'article-told-nobody',
      async play() {
        const story = await publish({ cross_post: { blogsite_a: false, blogsite_b: false } });
        return story.articleEnds();
      },
    },
    {
      // As after its author's account was removed.
      name: 'article-gone',
      async play() {
        const story = await publish({ scheduled_at: inSeconds(5) });
        await outboxEmpty(world);
        await world.api.db.deleteFrom('articles').where('id', '=', story.id).execute();
        return story.articleEnds();
      },
    },
  ];
}
