/** What becomes of a delivery that is refused, by its destination or by our own rules: for good, for five minutes, or not really. */
import { sql } from 'kysely';
import { disconnectDestination } from '../../store/connections/connections.ts';
import { retryDelivery, withdrawDelivery } from '../../store/deliveries/commands.ts';
import { wordpressRow } from '../../test/destinations/rows/wordpress.ts';
import type { DeliveryWorld } from '../../test/support/delivery.ts';
import {
  beginStory,
  deliveredStory,
  faultsBegun,
  type Misfortune,
  type PublishedStory,
  plainScenarios,
  publishStory,
  type Scenario,
  waits,
} from './story.ts';

const RUDE: Misfortune = { status: 422, body: { error: 'Too rude', status: 422 } };
const FORBIDDEN: Misfortune = { status: 403, body: { error: 'forbidden', status: 403 } };
const TITLE_USED: Misfortune = {
  status: 422,
  body: { error: 'Title has already been used in the last five minutes', status: 422 },
};

/** `there`: the destinations' clock, by which a post is changed at some time. */
export function refusalScenarios(world: DeliveryWorld, there: { aheadMs: number }): Scenario[] {
  const { db } = world.api;
  const simply = plainScenarios(world);
  /** The rule's five minutes are cut short by the author. */
  const hurried = async (times: number): Promise<PublishedStory> => {
    const story = await publishStory(world, await beginStory(world, 'blogsite_a', { ...TITLE_USED, times }));
    await waits(world, story, 'title_recently_used');
    await retryDelivery(db, story.target());
    return story;
  };

  return [
    simply('delivery-refused-outright', 'blogsite_a', 'failed', FORBIDDEN),
    // The look behind the refusal has no answer: from then on the attempt is one whose end is unknown.
    simply('delivery-refusal-not-looked-behind', 'blogsite_a', 'delivered', RUDE, { action: 'find', status: 503 }),
    {
      name: 'delivery-title-rule',
      async play() {
        const story = await hurried(1);
        await story.reaches('delivered');
        return story.deliveryEnds();
      },
    },
    {
      // Waited for once, and no more.
      name: 'delivery-title-rule-again',
      async play() {
        const story = await hurried(2);
        await story.reaches('failed');
        return story.deliveryEnds();
      },
    },
    {
      name: 'delivery-disconnected-behind-refusal',
      async play() {
        const story = await publishStory(world, await beginStory(world, 'blogsite_a', RUDE));
        await faultsBegun(world);
        await disconnectDestination(db, story.author.id, 'blogsite_a');
        await story.reaches('held');
        return story.deliveryEnds();
      },
    },
    {
      // Found out before anything is sent: there is no attempt.
      name: 'delivery-credential-unreadable',
      async play() {
        const begun = await beginStory(world, 'blogsite_a');
        await sql`update connections set credentials_sealed = '\\x00' where user_id = ${begun.author.id}`.execute(db);
        const story = await publishStory(world, begun);
        await story.reaches('failed');
        return story.deliveryEnds();
      },
    },
    {
      // As after going back to a version that does not know the platform yet.
      name: 'delivery-platform-unsupported',
      async play() {
        const story = await publishStory(world, await beginStory(world, 'blogsite_a', { drop: 'after', delayMs: 700 }));
        await faultsBegun(world);
        await sql`update connections set platform = 'a later one' where user_id = ${story.author.id}`.execute(db);
        await story.reaches('unknown');
        return story.deliveryEnds();
      },
    },
    {
      name: 'delivery-cannot-be-withdrawn',
      async play() {
        const story = await deliveredStory(world, 'blogsite_c');
        await withdrawDelivery(db, story.target());
        await story.reaches('failed');
        return story.deliveryEnds();
      },
    },
    {
      // Gone is what a withdrawal wants.
      name: 'delivery-gone-before-withdrawn',
      async play() {
        const story = await deliveredStory(world, 'blogsite_a');
        const gone = { status: 404, body: { error: 'not found', status: 404 } };
        await world.faults([{ platform: 'blogsite_a', action: 'withdraw', times: 1, ...gone }]);
        await withdrawDelivery(db, story.target());
        return story.deliveryEnds();
      },
    },
    {
      name: 'delivery-drifted',
      async play() {
        const story = await deliveredStory(world, 'cms_site');
        const { remoteId } = await story.reaches('delivered');
        there.aheadMs += 60_000;
        await wordpressRow.editByHand?.(world.sandboxUrl, remoteId ?? '', 'By hand');
        await story.publish({}, 'Newer words.\n');
        await story.reaches('failed');
        return story.deliveryEnds();
      },
    },
  ];
}
