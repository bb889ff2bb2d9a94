/**
 * `npm run bench:digest`: measures an hourly sweep with 100 due authors of 10,000: rows read, query
 * time compared with `select 1`, and the total with 100 workflows and mails compared with bare
 * one-activity workflows. Excludes the mail server, which `bench:mail` measures.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { sql } from 'kysely';
import type { ActivityDeps } from '../activities/deps.ts';
import { startTestServices } from '../scripts/check/services.ts';
import { type Database, openDatabase } from '../store/db/database.ts';
import { migrateToLatest } from '../store/db/migrate.ts';
import { buildDueAuthorsQuery } from '../store/digests/due-authors.ts';
import { loadSealer } from '../store/secrets/sealing.ts';
import { workflowBundle } from '../temporal/bundle/bundle.ts';
import { registerSearchAttributes } from '../temporal/visibility/search-attributes.ts';
import { readPlan } from '../test/support/database/query-plan.ts';
import { NO_IMPORTS } from '../test/support/no-imports.ts';
import { installQuietRuntime } from '../test/support/quiet-runtime.ts';
import { createWorkers } from '../worker/create-worker.ts';
import { BARE } from './bare/options.ts';
import { printFigure } from './figure.ts';

const AUTHORS = 10_000;
const DUE = 100;
const ROUNDS = 300;
const MONDAY = new Date('2026-11-23T08:00:00Z');
/** The number of workflows that the sweep starts at once. */
const WIDTH = 10;
const PAGE = { until: MONDAY, after: null, limit: 100 };

const services = await startTestServices((step) => console.log(step));
const home = mkdtempSync(join(tmpdir(), 'courant-bench-'));
try {
  await migrateToLatest(services.databaseUrl);
  const db = openDatabase(services.databaseUrl);
  await fill(db);
  await measureRows(db);
  await measureQuery(db);
  await measureSweep(db, services.temporalAddress);
  await db.destroy();
} finally {
  await services.stop();
  rmSync(home, { recursive: true, force: true });
}

/**
 * Each author has an article with page views. 100 authors are due; the others in the following
 * weeks.
 */
async function fill(db: Database): Promise<void> {
  await sql`insert into users (username, name, email, password_hash)
    select 'u' || n, 'Author ' || n, 'u' || n || '@example.org', 'x' from generate_series(1, ${AUTHORS}) n`.execute(db);
  await sql`insert into articles (author_id, slug, title, title_key, canonical_key, cross_post, status, source, body, derived,
      fingerprint, content_hash, published_at)
    select id, 'a-' || username, 'T', 't', 'self:a-' || username, '{}', 'PUBLISHED', '', 'x', '{}', '', '', now()
    from users`.execute(db);
  await sql`insert into article_days (article_id, day, views)
    select id, date '2026-11-22' - n, 5 from articles, generate_series(0, 13) n`.execute(db);
  await sql`update digest_settings set next_due_at = ${MONDAY}::timestamptz + make_interval(hours => 1 + (random() * 700)::int)`.execute(
    db,
  );
  await sql`update digest_settings set next_due_at = ${MONDAY}
    where user_id in (select id from users order by username limit ${DUE})`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

async function measureRows(db: Database): Promise<void> {
  const plan = await readPlan(db, buildDueAuthorsQuery(PAGE));
  const reads = plan.filter((node) => node.relation !== null);
  for (const { kind, relation, index, rowsRead } of reads) {
    report(`rows read, ${relation}`, `${rowsRead} (${kind}${index ? `, ${index}` : ''})`);
  }
  const value = reads.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  const what = `rows that a digest sweep reads of ${AUTHORS} authors of whom ${DUE} are due`;
  printFigure({ what, value, unit: 'rows, settings and accounts', goal: { atMost: 2 * DUE } });
}

async function measureQuery(db: Database): Promise<void> {
  const floor = await median(() => sql`select 1`.execute(db));
  const someDue = await median(() => buildDueAuthorsQuery(PAGE).execute(db));
  const noneDue = await median(() => buildDueAuthorsQuery({ ...PAGE, until: new Date(0) }).execute(db));
  report('floor: select 1', `p50 ${floor.toFixed(2)} ms`);
  report('an hour in which nobody is due', `p50 ${noneDue.toFixed(2)} ms, ${(noneDue / floor).toFixed(1)} × the floor`);
  report(`${DUE} of ${AUTHORS} due`, `p50 ${someDue.toFixed(2)} ms, ${(someDue / floor).toFixed(1)} × the floor`);
}

async function measureSweep(db: Database, address: string): Promise<void> {
  installQuietRuntime();
  const connection = await Connection.connect({ address });
  await registerSearchAttributes(connection, 'default');
  const client = new Client({ connection });
  const native = await NativeConnection.connect({ address });
  let mails = 0;
  const done = Promise.withResolvers<void>();
  const mail: ActivityDeps['mail'] = {
    async send(_mail, { beforeLastByte }) {
      await beforeLastByte();
      mails += 1;
      if (mails === DUE) done.resolve();
      return { kind: 'sent' };
    },
    close: async () => undefined,
  };
  const worker = await createWorkers({
    native,
    namespace: 'default',
    bundlePath: await workflowBundle(home),
    deps: {
      db,
      sealer: await loadSealer({ home, key: randomBytes(32).toString('base64') }),
      workflowTarget: { client, taskQueue: 'bench' },
      baseUrl: 'https://courant.example',
      findDestination: () => null,
      ...NO_IMPORTS,
      formats: { format: async () => 'busy', close: async () => undefined },
      allowPrivate: false,
      pacing: false,
      httpTimeoutMs: 1_000,
      lateArrivalMs: 1_000,
      mail,
      renderDigest: async () => ({ subject: 'Digest', html: '<p>Digest</p>', text: 'Digest' }),
      signLink: () => 'token',
      unsubscribeToken: () => 'token',
      now: () => new Date(MONDAY.getTime() + 60_000),
    },
  });
  const running = worker.run();
  const bareSeconds = await measureBare(client, native);
  report(`${DUE} bare one-activity workflows`, `${bareSeconds.toFixed(2)} s`);
  const started = performance.now();
  const workflowId = 'bench-sweep';
  const answer = await client.workflow.execute('digestSweepWorkflow', { taskQueue: 'bench', workflowId, args: [] });
  report('the sweep', `${seconds(started)}: ${answer}`);
  await done.promise;
  report('to the last mail', `${seconds(started)} for ${mails}`);
  const value = ((bareSeconds * 1_000) / (performance.now() - started)) * 100;
  const what = `digests of ${DUE} authors, from the sweep to the last mail`;
  printFigure({ what, value, unit: '% of bare one-activity workflows', goal: { atLeast: 60 } });
  worker.shutdown();
  await running;
  await native.close();
  await connection.close();
}

/** Starts as many at once as the sweep. */
async function measureBare(client: Client, connection: NativeConnection): Promise<number> {
  const worker = await Worker.create({ connection, ...BARE });
  const start = (index: number) =>
    client.workflow.start('bareWorkflow', { taskQueue: BARE.taskQueue, workflowId: `bare-${index}` });
  return worker.runUntil(async () => {
    await (await start(-1)).result();
    const begun = performance.now();
    const results: Promise<unknown>[] = [];
    while (results.length < DUE) {
      const some = await Promise.all(Array.from({ length: WIDTH }, (_, index) => start(results.length + index)));
      results.push(...some.map((handle) => handle.result()));
    }
    await Promise.all(results);
    return (performance.now() - begun) / 1_000;
  });
}

async function median(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(2)} s`;
}

function report(what: string, value: string): void {
  console.log(`${what.padEnd(40)} ${value}`);
}
