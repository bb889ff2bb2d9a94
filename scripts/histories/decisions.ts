/** What becomes of a delivery because its author said or did something. */
import { retryDelivery, settleDelivery, skipDelivery, withdrawDelivery } from '../../store/deliveries/commands.ts';
import type { DeliveryWorld } from '../../test/support/delivery.ts';
import { eventually } from '../../test/support/eventually.ts';
import { beginStory, type Misfortune, type PublishedStory, publishStory, type Scenario } from './story.ts';

export function decisionScenarios(world: DeliveryWorld): Scenario[] {
  const { db } = world.api;
  const publish = async (...misfortunes: Misfortune[]) =>
    publishStory(world, await beginStory(world, 'blogsite_a', ...misfortunes));
  // Each is played after the one before it, whose story it goes on with.
  let held: PublishedStory;
  let unknown: PublishedStory;

  return [
    {
      name: 'delivery-unauthorised-held',
      async play() {
        const begun = await beginStory(world, 'blogsite_a');
        await world.connect(begun.author, 'blogsite_a', { apiKey: 'no such key' });
        held = await publishStory(world, begun);
        await held.reaches('held');
        return held.deliveryEnds();
      },
    },
    {
      name: 'delivery-released',
      async play() {
        await world.connect(held.author, 'blogsite_a');
        await held.reaches('delivered');
        return held.deliveryEnds();
      },
    },
    {
      name: 'delivery-unknown',
      async play() {
        const noLook: Misfortune = { action: 'find', status: 403, body: { error: 'forbidden', status: 403 } };
        unknown = await publish({ drop: 'after' }, noLook);
        await unknown.reaches('unknown');
        return unknown.deliveryEnds();
      },
    },
    {
      name: 'delivery-settled',
      async play() {
        const [{ remoteId } = { remoteId: '' }] = await world.log(unknown.title);
        const finding = { remoteId, url: `${world.sandboxUrl}/forem/demo/story` };
        await settleDelivery(db, unknown.target(), { finding, canUpdate: true });
        await unknown.reaches('delivered');
        return unknown.deliveryEnds();
      },
    },
    {
      name: 'delivery-skipped-while-waiting',
      async play() {
        const story = await publish({ status: 429, headers: { 'retry-after': '60' } });
        await eventually('the pause', async () => {
          const rows = db.selectFrom('deliveries').select('nextAttemptAt').where('articleId', '=', story.id);
          return (await rows.executeTakeFirst())?.nextAttemptAt;
        });
        await skipDelivery(db, story.target());
        return story.deliveryEnds();
      },
    },
    {
      name: 'delivery-retried',
      async play() {
        const story = await publish({ status: 422, body: { error: 'Too rude', status: 422 } });
        await story.reaches('failed');
        await story.deliveryEnds();
        await retryDelivery(db, story.target());
        await story.reaches('delivered');
        return story.deliveryEnds();
      },
    },
    {
      name: 'delivery-taken-back',
      async play() {
        const story = await publish();
        await story.reaches('delivered');
        await story.deliveryEnds();
        await withdrawDelivery(db, story.target());
        return story.deliveryEnds();
      },
    },
  ];
}
