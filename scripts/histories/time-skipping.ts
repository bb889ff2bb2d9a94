/** Deliveries that take more than a day, and a reminder that fails, on Temporal's time-skipping server. */
import { sql } from 'kysely';
import { blockConnection } from '../../store/connections/rate-budget.ts';
import type { TimedWorld } from '../../test/time/support/world.ts';
import { provideTimeSkipping } from '../check/time-skipping.ts';
import { beginStory, type IsolatedScenarios, publishStory, type Scenario, type StoryFault } from './story.ts';

const DAY_MS = 24 * 60 * 60_000;
const DAILY_LIMIT: StoryFault = {
  status: 429,
  body: { errors: [{ message: 'You have reached the rate limit for publishing today.', code: -1 }] },
};

export function createTimeSkippingScenarios(): IsolatedScenarios {
  let world: TimedWorld | null = null;
  const start = async (): Promise<TimedWorld> => {
    world ??= await startWorld();
    return world;
  };
  return {
    scenarios: createScenarios(start),
    client: async () => (await start()).client,
    close: async () => world?.close(),
  };
}

/** The module of the timed world reads the server's path when it is loaded, so it is imported after that is set. */
async function startWorld(): Promise<TimedWorld> {
  const announce = (step: string) => void process.stdout.write(`${step}\n`);
  const found = await provideTimeSkipping({ env: process.env, announce });
  if (!found.TIME_SKIPPING_SERVER) throw new Error(found.TIME_SKIPPING_ABSENT);
  Object.assign(process.env, found);
  const { startTimedWorld } = await import('../../test/time/support/world.ts');
  return startTimedWorld({ pacing: true });
}

function createScenarios(start: () => Promise<TimedWorld>): Scenario[] {
  /** The account is blocked for a day in the pause after the first failure, so the next failure is the last. */
  const createAfterADay = (name: string, state: string, ...faults: StoryFault[]): Scenario => ({
    name,
    async play() {
      const world = await start();
      const story = await publishStory(world, await beginStory(world, 'blogsite_a', ...faults));
      await waitForRest(world);
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
        const begun = await beginStory(world, 'blogsite_c', { ...DAILY_LIMIT, times: 3 });
        const story = await publishStory(world, begun);
        await waitForRest(world);
        // A day long block is one try a day: it is given up after the third.
        await world.pass('25 hours');
        await waitForRest(world);
        await world.pass('25 hours');
        await story.waitForState('failed');
        return story.waitForDeliveryEnd();
      },
    },
    // The look before the second attempt gets no response. Its pause is longer than the rest before the block.
    createAfterADay(
      'delivery-gave-up-at-look',
      'failed',
      { status: 429, headers: { 'retry-after': '60' } },
      { action: 'find', status: 503 },
    ),
    // Both attempts are cut before anything is created.
    createAfterADay('delivery-gave-up-unanswered', 'failed', { drop: 'before', times: 2 }),
    {
      // The reminder fails three times in a minute and a half; the article is published all the same.
      name: 'article-reminder-failed',
      async play() {
        const world = await start();
        const { db } = world.api;
        const begun = await beginStory(world, 'blogsite_a');
        const scheduled_at = new Date(world.now().getTime() + 30 * 60_000).toISOString();
        const story = await publishStory(world, begun, { scheduled_at });
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

/** Time may pass only after the actors were signalled, have tried and wait. */
async function waitForRest(world: TimedWorld): Promise<void> {
  await world.waitForEmptyOutbox();
  await world.pass('1 second');
}
