/** Starts the services of the interleavings: API, database, sandbox and activities; no Temporal. */
import { sql } from 'kysely';
import { createActivities } from '../../../activities/index.ts';
import { findDestination } from '../../../destinations/clients.ts';
import { createFormatPool } from '../../../destinations/format/pool.ts';
import { buildSandbox } from '../../../sandbox/app.ts';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { loadSealer, type Sealer } from '../../../store/secrets/sealing.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { NO_MAIL } from '../../support/api/digest.ts';
import { NO_IMPORTS } from '../../support/no-imports.ts';
import { type Activities, WORKER } from './interrupted-run.ts';

/** Each case has its own accounts, such as `this-7` and `other-7`. */
const MAX_CASES = 3_000;

export interface World {
  api: TestApi;
  sealer: Sealer;
  sandboxUrl: string;
  activities: Activities;
  /** Searches for stalled deliveries and enqueues them. */
  sweep(): Promise<unknown>;
  /** Moves all times in the rows of this author's articles into the past. */
  pass(authorId: string, ms: number): Promise<void>;
  /** Times have a resolution of one second: without this, two edits cannot be distinguished. */
  moveSandboxClock(ms: number): void;
  /** The number of the next case. */
  nextCaseNumber(): number;
  close(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  // No server listens at this address: the cases empty the outbox themselves.
  const api = await startTestApi({ temporal: '127.0.0.1:9' });
  const numbers = Array.from({ length: MAX_CASES }, (_, index) => index + 1);
  const accounts = numbers.flatMap((number) => [`this-${number}`, `other-${number}`]);
  let aheadMs = 0;
  const sandbox = await buildSandbox({
    baseUrl: api.baseUrl,
    now: () => new Date(Date.now() + aheadMs),
    rateLimits: false,
    foremAccounts: Object.fromEntries(accounts.map((name) => [`key-${name}`, { username: name, name }])),
    mediumAccounts: Object.fromEntries(accounts.map((name) => [`key-${name}`, { id: name, username: name, name }])),
  });
  const { url: sandboxUrl } = await sandbox.listen();
  const db = openDatabase(`${api.databaseUrl}?${WORKER}`, { maxConnections: 5 });
  const sealer = await loadSealer({ home: api.home, key: undefined });
  const formats = createFormatPool();
  const activities = createActivities({
    db,
    sealer,
    workflowTarget: { client: {} as never, taskQueue: 'none' },
    baseUrl: api.baseUrl,
    findDestination,
    formats,
    allowPrivate: true,
    pacing: false,
    httpTimeoutMs: 1_500,
    lateArrivalMs: 1_000,
    ...NO_IMPORTS,
    ...NO_MAIL,
    now: () => new Date(),
  });
  const moveTimes = await buildTimeMoves(api.db);
  let cases = 0;
  return {
    api,
    sealer,
    sandboxUrl,
    activities: activities as unknown as Activities,
    sweep: activities.wakeStalledArticles,
    async pass(authorId, ms) {
      for (const move of moveTimes) await sql.raw(move(authorId, ms / 1000)).execute(api.db);
    },
    moveSandboxClock(ms) {
      aheadMs += ms;
    },
    nextCaseNumber: () => ++cases,
    async close() {
      await formats.close();
      await db.destroy();
      await api.close();
      await sandbox.close();
    },
  };
}

/** Builds statements that move all timestamps in the rows of an author into the past. */
async function buildTimeMoves(db: Database): Promise<((authorId: string, seconds: number) => string)[]> {
  const ofArticles = "article_id in (select id from articles where author_id = '$author')";
  const ofDeliveries = `delivery_id in (select id from deliveries where ${ofArticles})`;
  const owners: Record<string, string> = {
    articles: "author_id = '$author'",
    connections: "user_id = '$author'",
    deliveries: ofArticles,
    copies: ofArticles,
    delivery_attempts: ofDeliveries,
    rate_slots: ofDeliveries,
  };
  const { rows } = await sql<{ table: string; names: string[] }>`
    select table_name as table, array_agg(column_name::text) as names from information_schema.columns
    where table_schema = 'public' and data_type = 'timestamp with time zone' and is_generated = 'NEVER'
      and table_name = any(${Object.keys(owners)}) group by table_name`.execute(db);
  return rows.map(({ table, names }) => (authorId, seconds) => {
    const moves = names.map((name) => `${name} = ${name} - make_interval(secs => ${seconds})`);
    return `update ${table} set ${moves.join(', ')} where ${owners[table]?.replace('$author', authorId)}`;
  });
}
