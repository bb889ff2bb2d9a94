/**
 * Scenarios of deliveries without intervention: the outcomes of an attempt and their next steps.
 */
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createPlainScenario,
  prepareStory,
  publishDelivered,
  publishStory,
  type Scenario,
  waitForRevision,
} from './story.ts';

export function createDeliveryScenarios(world: DeliveryWorld): Scenario[] {
  const plain = createPlainScenario(world);

  return [
    plain('delivery-delivered', 'blogsite_a', 'delivered'),
    plain('delivery-adopted-after-cut', 'blogsite_a', 'delivered', { drop: 'after' }),
    plain('delivery-created-after-cut', 'blogsite_a', 'delivered', { drop: 'before' }),
    plain('delivery-retried-after-5xx', 'blogsite_a', 'delivered', { status: 503, times: 2 }),
    plain('delivery-rate-limited', 'blogsite_a', 'delivered', { status: 429, headers: { 'retry-after': '1' } }),
    plain('delivery-refused', 'blogsite_a', 'failed', { status: 422, body: { error: 'Too rude', status: 422 } }),
    plain('delivery-refused-and-saved', 'blogsite_a', 'delivered', { status: 422, saved: true }),
    plain('delivery-repeated', 'social_feed', 'delivered', { drop: 'after' }),
    plain('delivery-look-up-unsupported', 'blogsite_c', 'unknown', { drop: 'after' }),
    {
      name: 'delivery-waited-for-rate-slot',
      async play() {
        const prepared = await prepareStory(world, 'blogsite_b');
        await publishStory(world, prepared);
        const second = await publishStory(world, prepared, { title: `${prepared.title}, continued` });
        await second.waitForState('delivered');
        return second.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-updated',
      async play() {
        const story = await publishDelivered(world, 'blogsite_a');
        await world.faults([{ platform: 'blogsite_a', action: 'update', times: 1, status: 503 }]);
        await story.publish({}, 'Other words.\n');
        await waitForRevision(story, 2);
        return story.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-revised-in-flight',
      async play() {
        const story = await publishStory(world, await prepareStory(world, 'blogsite_a', { delayMs: 1_000 }));
        await story.waitForState('delivering');
        await story.publish({}, 'Newer words.\n');
        await waitForRevision(story, 2);
        return story.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-withdrawn',
      async play() {
        const story = await publishDelivered(world, 'blogsite_a');
        await story.publish({ draft: true });
        await eventually('the withdrawal', async () => {
          const rows = world.api.db.selectFrom('copies').select('withdrawnAt').where('articleId', '=', story.id);
          return (await rows.executeTakeFirst())?.withdrawnAt;
        });
        return story.waitForDeliveryEnd();
      },
    },
  ];
}
