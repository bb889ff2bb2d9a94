/** Scenarios with actions of the author: reconnect, settle, skip, retry, withdraw. */
import { retryDelivery, settleDelivery, skipDelivery, withdrawDelivery } from '../../../store/deliveries/commands.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  type PublishedStory,
  prepareStory,
  publishStory,
  type Scenario,
  type StoryFault,
  waitForPause,
} from './story.ts';

export function createAuthorActionScenarios(world: DeliveryWorld): Scenario[] {
  const { db } = world.api;
  const publish = async (...faults: StoryFault[]) =>
    publishStory(world, await prepareStory(world, 'blogsite_a', ...faults));
  // Set by one scenario and used by the next.
  let held: PublishedStory;
  let unknown: PublishedStory;

  return [
    {
      name: 'delivery-unauthorised-held',
      async play() {
        const prepared = await prepareStory(world, 'blogsite_a');
        await world.connect(prepared.author, 'blogsite_a', { apiKey: 'no such key' });
        held = await publishStory(world, prepared);
        await held.waitForState('held');
        return held.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-released',
      async play() {
        await world.connect(held.author, 'blogsite_a');
        await held.waitForState('delivered');
        return held.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-unknown',
      async play() {
        const lookUpForbidden: StoryFault = { action: 'find', status: 403, body: { error: 'forbidden', status: 403 } };
        unknown = await publish({ drop: 'after' }, lookUpForbidden);
        await unknown.waitForState('unknown');
        return unknown.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-settled',
      async play() {
        const [{ remoteId } = { remoteId: '' }] = await world.log(unknown.title);
        const finding = { remoteId, url: `${world.sandboxUrl}/forem/demo/story` };
        await settleDelivery(db, unknown.buildTarget(), { finding, canUpdate: true });
        await unknown.waitForState('delivered');
        return unknown.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-skipped-while-waiting',
      async play() {
        const story = await publish({ status: 429, headers: { 'retry-after': '60' } });
        await waitForPause(world, story, 'rate_limited');
        await skipDelivery(db, story.buildTarget());
        return story.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-retried',
      async play() {
        const story = await publish({ status: 422, body: { error: 'Too rude', status: 422 } });
        await story.waitForState('failed');
        await story.waitForDeliveryEnd();
        await retryDelivery(db, story.buildTarget());
        await story.waitForState('delivered');
        return story.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-withdrawn-by-command',
      async play() {
        const story = await publish();
        await story.waitForState('delivered');
        await story.waitForDeliveryEnd();
        await withdrawDelivery(db, story.buildTarget());
        return story.waitForDeliveryEnd();
      },
    },
  ];
}
