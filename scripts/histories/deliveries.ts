/** What becomes of a delivery by itself: every ending of an attempt, and what follows from it. */
import type { DeliveryWorld } from '../../test/support/delivery.ts';
import { eventually } from '../../test/support/eventually.ts';
import { beginStory, carries, deliveredStory, plainScenarios, publishStory, type Scenario } from './story.ts';

export function deliveryScenarios(world: DeliveryWorld): Scenario[] {
  const simply = plainScenarios(world);
  const delivered = () => deliveredStory(world, 'blogsite_a');

  return [
    simply('delivery-delivered', 'blogsite_a', 'delivered'),
    simply('delivery-adopted-after-cut', 'blogsite_a', 'delivered', { drop: 'after' }),
    simply('delivery-made-after-cut', 'blogsite_a', 'delivered', { drop: 'before' }),
    simply('delivery-retried-after-5xx', 'blogsite_a', 'delivered', { status: 503, times: 2 }),
    simply('delivery-rate-limited', 'blogsite_a', 'delivered', { status: 429, headers: { 'retry-after': '1' } }),
    simply('delivery-refused', 'blogsite_a', 'failed', { status: 422, body: { error: 'Too rude', status: 422 } }),
    simply('delivery-refused-and-saved', 'blogsite_a', 'delivered', { status: 422, saved: true }),
    simply('delivery-repeated', 'social_feed', 'delivered', { drop: 'after' }),
    simply('delivery-cannot-be-asked', 'blogsite_c', 'unknown', { drop: 'after' }),
    {
      name: 'delivery-took-its-turn',
      async play() {
        const begun = await beginStory(world, 'blogsite_b');
        await publishStory(world, begun);
        const second = await publishStory(world, begun, { title: `${begun.title}, continued` });
        await second.reaches('delivered');
        return second.deliveryEnds();
      },
    },
    {
      name: 'delivery-updated',
      async play() {
        const story = await delivered();
        await world.faults([{ platform: 'blogsite_a', action: 'update', times: 1, status: 503 }]);
        await story.publish({}, 'Other words.\n');
        await carries(story, 2);
        return story.deliveryEnds();
      },
    },
    {
      name: 'delivery-revised-in-flight',
      async play() {
        const story = await publishStory(world, await beginStory(world, 'blogsite_a', { delayMs: 1_000 }));
        await story.reaches('delivering');
        await story.publish({}, 'Newer words.\n');
        await carries(story, 2);
        return story.deliveryEnds();
      },
    },
    {
      name: 'delivery-withdrawn',
      async play() {
        const story = await delivered();
        await story.publish({ draft: true });
        await eventually('the withdrawal', async () => {
          const rows = world.api.db.selectFrom('deliveries').select('withdrawnAt').where('articleId', '=', story.id);
          return (await rows.executeTakeFirst())?.withdrawnAt;
        });
        return story.deliveryEnds();
      },
    },
  ];
}
