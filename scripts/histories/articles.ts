/** What becomes of an article: published, or scheduled, moved and called off. */
import type { DeliveryWorld } from '../../test/support/delivery.ts';
import { eventually } from '../../test/support/eventually.ts';
import { beginStory, publishStory, type Scenario } from './story.ts';

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
  ];
}

function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString();
}
