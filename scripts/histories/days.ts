/** What becomes of a delivery in more than a day, and of a reminder that cannot be had: on a server whose clock jumps. */
import { sql } from 'kysely';
import { blockConnection } from '../../store/connections/rate-slots.ts';
import type { TimedWorld } from '../../test/time/support/world.ts';
import { provideTimeSkipping } from '../check/time-skipping.ts';
import { beginStory, type Misfortune, type PublishedStory, publishStory, type Scenario, type Stage } from './story.ts';

const DAY_MS = 24 * 60 * 60_000;
const DAILY_LIMIT: Misfortune = {
  status: 429,
  body: { errors: [{ message: 'You have reached the rate limit for publishing today.', code: -1 }] },
};

export function dayStage(): Stage {
  let world: TimedWorld | null = null;
  const start = async (): Promise<TimedWorld> => {
    world ??= await startWorld();
    return world;
  };
  return {
    scenarios: dayScenarios(start),
    client: async () => (await start()).client,
    close: async () => world?.close(),
  };
}

/** What it is made of reads where the server is as it is loaded. */
async function startWorld(): Promise<TimedWorld> {
  const announce = (step: string) => void process.stdout.write(`${step}\n`);
  const found = await provideTimeSkipping({ env: process.env, announce });
  if (!found.TIME_SKIPPING_SERVER) throw new Error(found.TIME_SKIPPING_ABSENT);
  Object.assign(process.env, found);
  const { startTimedWorld } = await import('../../test/time/support/world.ts');
  return startTimedWorld({ pacing: true });
}

function dayScenarios(start: () => Promise<TimedWorld>): Scenario[] {
  /** In the pause after a first failure the account is told to wait for a day; what comes then, comes too late. */
  const afterADay = (name: string, state: string, ...misfortunes: Misfortune[]): Scenario => ({
    name,
    async play() {
      const world = await start();
      const story = await publishStory(world, await beginStory(world, 'blogsite_a', ...misfortunes));
      await isAtRest(world, story);
      const { db } = world.api;
      const rows = db.selectFrom('connections').select('id').where('userId', '=', story.author.id);
      await blockConnection(db, (await rows.executeTakeFirstOrThrow()).id, DAY_MS);
      await world.pass('25 hours');
      await story.reaches(state);
      return story.deliveryEnds();
    },
  });

  return [
    {
      name: 'delivery-gave-up',
      async play() {
        const world = await start();
        const begun = await beginStory(world, 'blogsite_c', { ...DAILY_LIMIT, times: 2 });
        const story = await publishStory(world, begun);
        await isAtRest(world, story);
        await world.pass('25 hours');
        await story.reaches('failed');
        return story.deliveryEnds();
      },
    },
    // Not even a look is answered: what is out there is not known.
    afterADay(
      'delivery-gave-up-unknown',
      'unknown',
      { status: 429, headers: { 'retry-after': '1' } },
      { drop: 'after' },
      { action: 'find', status: 503 },
    ),
    // Both attempts were cut, and made nothing.
    afterADay('delivery-gave-up-unanswered', 'failed', { drop: 'before', times: 2 }),
    {
      // Three tries in a minute and a half; the article itself is none the worse for it.
      name: 'article-reminder-failed',
      async play() {
        const world = await start();
        const { db } = world.api;
        const begun = await beginStory(world, 'blogsite_a');
        const scheduled_at = new Date(world.now().getTime() + 30 * 60_000).toISOString();
        const story = await publishStory(world, begun, { scheduled_at });
        await sql`alter table connections rename to connections_away`.execute(db);
        await world.settled();
        await world.pass('5 minutes');
        await sql`alter table connections_away rename to connections`.execute(db);
        await world.pass('30 minutes');
        await story.reaches('delivered');
        return story.articleEnds();
      },
    },
  ];
}

/** Told of, tried, and asleep: only then may time pass. */
async function isAtRest(world: TimedWorld, story: PublishedStory): Promise<void> {
  await world.settled();
  await world.ends(`article/${story.id}`, '1 second');
}
