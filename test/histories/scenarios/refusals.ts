/**
 * Scenarios of deliveries that the destination or our own rules reject: permanently, for five
 * minutes, or although the post was saved.
 */
import { sql } from 'kysely';
import { retryDelivery, withdrawDelivery } from '../../../store/deliveries/commands.ts';
import { wordpressRow } from '../../destinations/rows/wordpress.ts';
import type { DeliveryWorld } from '../../support/delivery/delivery.ts';
import { waitForFaults } from '../../support/delivery/publishing.ts';
import {
  createPlainScenario,
  type PublishedStory,
  prepareStory,
  publishDelivered,
  publishStory,
  type Scenario,
  type StoryFault,
  waitForPause,
} from './story.ts';

const RUDE: StoryFault = { status: 422, body: { error: 'Too rude', status: 422 } };
const FORBIDDEN: StoryFault = { status: 403, body: { error: 'forbidden', status: 403 } };
const TITLE_USED: StoryFault = {
  status: 422,
  body: { error: 'Title has already been used in the last five minutes', status: 422 },
};

/** `sandboxClock` is the clock of the destinations, which sets the times of changes of a post. */
export function createRefusalScenarios(world: DeliveryWorld, sandboxClock: { aheadMs: number }): Scenario[] {
  const { db } = world.api;
  const plain = createPlainScenario(world);
  /** The author's retry shortens the five minutes of the rule. */
  const publishAndRetry = async (times: number): Promise<PublishedStory> => {
    const story = await publishStory(world, await prepareStory(world, 'blogsite_a', { ...TITLE_USED, times }));
    await waitForPause(world, story, 'title_recently_used');
    await retryDelivery(db, story.buildTarget());
    return story;
  };

  return [
    plain('delivery-refused-outright', 'blogsite_a', 'failed', FORBIDDEN),
    // The look-up after the rejection gets no response. The rejection is stored in the row, so the
    // next plan looks up again.
    plain('delivery-look-up-after-refusal-failed', 'blogsite_a', 'failed', RUDE, { action: 'find', status: 503 }),
    {
      name: 'delivery-title-rule',
      async play() {
        const story = await publishAndRetry(1);
        await story.waitForState('delivered');
        return story.waitForDeliveryEnd();
      },
    },
    {
      // The delivery waits for the rule only once.
      name: 'delivery-title-rule-again',
      async play() {
        const story = await publishAndRetry(2);
        await story.waitForState('failed');
        return story.waitForDeliveryEnd();
      },
    },
    {
      // Detected before anything is sent, so there is no attempt.
      name: 'delivery-credential-unreadable',
      async play() {
        const setup = await prepareStory(world, 'blogsite_a');
        await sql`update connections set credentials_sealed = '\\x00' where user_id = ${setup.author.id}`.execute(db);
        const story = await publishStory(world, setup);
        await story.waitForState('failed');
        return story.waitForDeliveryEnd();
      },
    },
    {
      // As after a downgrade to a version without the platform.
      name: 'delivery-platform-unsupported',
      async play() {
        const story = await publishStory(
          world,
          await prepareStory(world, 'blogsite_a', { drop: 'after', delayMs: 700 }),
        );
        await waitForFaults(world);
        await sql`update connections set platform = 'a later one' where user_id = ${story.author.id}`.execute(db);
        await story.waitForState('unknown');
        return story.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-cannot-be-withdrawn',
      async play() {
        const story = await publishDelivered(world, 'blogsite_c');
        await withdrawDelivery(db, story.buildTarget());
        await story.waitForState('failed');
        return story.waitForDeliveryEnd();
      },
    },
    {
      // A deleted post needs no withdrawal.
      name: 'delivery-gone-before-withdrawn',
      async play() {
        const story = await publishDelivered(world, 'blogsite_a');
        const notFound = { status: 404, body: { error: 'not found', status: 404 } };
        await world.faults([{ platform: 'blogsite_a', action: 'withdraw', times: 1, ...notFound }]);
        await withdrawDelivery(db, story.buildTarget());
        return story.waitForDeliveryEnd();
      },
    },
    {
      name: 'delivery-drifted',
      async play() {
        const story = await publishDelivered(world, 'cms_site');
        const { remoteId } = await story.waitForState('delivered');
        sandboxClock.aheadMs += 60_000;
        await wordpressRow.editByHand?.(world.sandboxUrl, remoteId ?? '', 'By hand');
        await story.publish({}, 'Newer words.\n');
        await story.waitForState('failed');
        return story.waitForDeliveryEnd();
      },
    },
  ];
}
