/** Scenarios of the article workflow: published, scheduled, rescheduled and cancelled. */

import { enqueueArticle } from '../../../store/outbox/enqueue.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { waitForFaults, waitForOutbox } from '../../support/delivery/publishing.ts';
import { eventually } from '../../support/eventually.ts';
import { formatTimeIn, prepareStory, publishStory, type Scenario } from './story.ts';

export function createArticleScenarios(world: DeliveryWorld): Scenario[] {
  const publish = async (frontmatter: object = {}) =>
    publishStory(world, await prepareStory(world, 'blogsite_a'), frontmatter);

  return [
    {
      // Enqueues the article, because an immediate publish signals its deliveries without starting
      // this workflow.
      name: 'article-published',
      async play() {
        const story = await publish();
        await story.waitForState('delivered');
        await enqueueArticle(world.api.db, story.id);
        return story.waitForArticleEnd();
      },
    },
    {
      name: 'article-scheduled',
      async play() {
        const story = await publish({ scheduled_at: formatTimeIn(2) });
        await story.waitForState('delivered');
        return story.waitForArticleEnd();
      },
    },
    {
      // Due within the hour, so its reminder runs at once. Then it is rescheduled to an earlier
      // time.
      name: 'article-rescheduled',
      async play() {
        const story = await publish({ scheduled_at: formatTimeIn(1_800) });
        await eventually('the reminder', async () => {
          const rows = world.api.db.selectFrom('articles').select('remindedFor').where('id', '=', story.id);
          return (await rows.executeTakeFirst())?.remindedFor;
        });
        await story.publish({ scheduled_at: formatTimeIn(2) });
        await story.waitForState('delivered');
        return story.waitForArticleEnd();
      },
    },
    {
      name: 'article-cancelled',
      async play() {
        const story = await publish({ scheduled_at: formatTimeIn(1_800) });
        await story.publish({ draft: true });
        return story.waitForArticleEnd();
      },
    },
    {
      // The destination responds slowly to the probe of the reminder. The change does not wait for
      // it.
      name: 'article-cancelled-during-reminder',
      async play() {
        const slowProbe = { action: 'probe', delayMs: 1_200 } as const;
        const story = await publishStory(world, await prepareStory(world, 'blogsite_a', slowProbe), {
          scheduled_at: formatTimeIn(1_800),
        });
        await waitForFaults(world);
        await story.publish({ draft: true });
        return story.waitForArticleEnd();
      },
    },
    {
      // Scheduled, because an immediate publish without destinations starts no workflow.
      name: 'article-without-destinations',
      async play() {
        const cross_post = { blogsite_a: false, blogsite_b: false };
        const story = await publish({ cross_post, scheduled_at: formatTimeIn(2) });
        return story.waitForArticleEnd();
      },
    },
    {
      // As if the author's account was deleted.
      name: 'article-gone',
      async play() {
        const story = await publish({ scheduled_at: formatTimeIn(5) });
        await waitForOutbox(world);
        await world.api.db.deleteFrom('articles').where('id', '=', story.id).execute();
        return story.waitForArticleEnd();
      },
    },
  ];
}
