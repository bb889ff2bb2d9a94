/**
 * Scenarios on Temporal's time-skipping server: deliveries that take more than a day, and a
 * reminder that fails.
 */
import { sql } from 'kysely';
import { blockConnection } from '../../../store/connections/rate-budget.ts';
import { startTimedWorld, type TimedWorld } from '../../time/support/world.ts';
import { type IsolatedScenarios, prepareStory, publishStory, type Scenario, type StoryFault } from './story.ts';

const DAY_MS = 24 * 60 * 60_000;
const DAILY_LIMIT: StoryFault = {
  status: 429,
  body: { errors: [{ message: 'You have reached the rate limit for publishing today.', code: -1 }] },
};

export function createTimeSkippingScenarios(): IsolatedScenarios {
  let world: TimedWorld | null = null;
  const start = async (): Promise<TimedWorld> => {
    world ??= await startTimedWorld({ pacing: true });
    return world;
  };
  return {
    scenarios: createScenarios(start),
    client: async () => (await start()).client,
    close: async () => world?.close(),
  };
}

function createScenarios(start: () => Promise<TimedWorld>): Scenario[] {
  /**
   * The account is blocked for a day during the pause after the first failure, so the next failure
   * is final.
   */
  const createAfterADay = (name: string, state: string, ...faults: StoryFault[]): Scenario => ({
    name,
    async play() {
      const world = await start();
      const story = await publishStory(world, await prepareStory(world, 'blogsite_a', ...faults));
      await waitUntilIdle(world);
      const { db } = world.api;
      const rows = db.selectFrom('connections').select('id').where('userId', '=', story.author.id);
      await blockConnection(db, (await rows.executeTakeFirstOrThrow()).id, DAY_MS);
      await world.pass('25 hours');
      await story.waitForState(state);
      return story.waitForDeliveryEnd();
    },
  });

  return [
    {
      name: 'delivery-gave-up',
      async play() {
        const world = await start();
        const prepared = await prepareStory(world, 'blogsite_c', { ...DAILY_LIMIT, times: 3 });
        const story = await publishStory(world, prepared);
        await waitUntilIdle(world);
        // With a block of one day there is one attempt per day. The delivery fails after the third.
        await world.pass('25 hours');
        await waitUntilIdle(world);
        await world.pass('25 hours');
        await story.waitForState('failed');
        return story.waitForDeliveryEnd();
      },
    },
    // The look-up before the second attempt gets no response. Its pause is longer than the wait
    // before the block.
    createAfterADay(
      'delivery-gave-up-at-look',
      'failed',
      { status: 429, headers: { 'retry-after': '60' } },
      { action: 'find', status: 503 },
    ),
    // Both attempts are cut before the destination creates anything.
    createAfterADay('delivery-gave-up-unanswered', 'failed', { drop: 'before', times: 2 }),
    {
      // The reminder fails three times in 90 seconds. The article is still published.
      name: 'article-reminder-failed',
      async play() {
        const world = await start();
        const { db } = world.api;
        const prepared = await prepareStory(world, 'blogsite_a');
        const scheduled_at = new Date(world.now().getTime() + 30 * 60_000).toISOString();
        const story = await publishStory(world, prepared, { scheduled_at });
        await sql`alter table credential_checks rename to credential_checks_unavailable`.execute(db);
        await world.waitForEmptyOutbox();
        await world.pass('5 minutes');
        await sql`alter table credential_checks_unavailable rename to credential_checks`.execute(db);
        await world.pass('30 minutes');
        await story.waitForState('delivered');
        return story.waitForArticleEnd();
      },
    },
  ];
}

/** Time may only pass when the workflows are signalled, have tried and wait. */
async function waitUntilIdle(world: TimedWorld): Promise<void> {
  await world.waitForEmptyOutbox();
  await world.pass('1 second');
}
