/**
 * Measures the memory of worker and Temporal server with 10,000 scheduled articles, and the
 * lateness of 500 that are due in the same second, compared with as many bare timer workflows in
 * the same run. Asserts nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../store/db/database.ts';
import { waitForDescriptions } from './articles.ts';
import { startPeers } from './bare/start.ts';
import { printFigure } from './figure.ts';
import { quantile, waitUntil } from './measure.ts';
import { startBenchServices } from './publish/services.ts';

const PENDING = Number(process.env.BENCH_PENDING ?? 10_000);
const DUE_COUNT = 500;
const RUNNING = 'WorkflowType = "articleWorkflow" and ExecutionStatus = "Running"';

const services = await startBenchServices();
const db = openDatabase(services.databaseUrl, { maxConnections: 4 });
const connection = await Connection.connect({ address: services.temporalAddress });
const client = new Client({ connection });
try {
  const template = await publishOne();
  await waitForDescriptions(db);
  const before = await services.residentMemory();
  const beforeServer = services.temporalMemory();

  const started = performance.now();
  await scheduleCopies(db, template, PENDING, new Date(Date.now() + 365 * 24 * 60 * 60_000));
  await waitUntil('the actors', async () => (await client.workflow.count(RUNNING)).count >= PENDING, {
    withinMs: 600_000,
    everyMs: 200,
  });
  const took = (performance.now() - started) / 1000;
  await sleep(5_000);
  const after = await services.residentMemory();
  console.log(
    `${PENDING} scheduled articles pending, taken up in ${took.toFixed(0)} s (${(PENDING / took).toFixed(0)}/s)`,
  );
  console.log(`  worker ${before.worker} → ${after.worker} MB, api ${before.api} → ${after.api} MB`);
  console.log(`  Temporal server ${beforeServer} → ${services.temporalMemory()} MB`);

  await startPeers(services);
  const peerDue = Math.ceil(Date.now() / 1000) * 1000 + 20_000;
  const peers: Promise<number>[] = [];
  for (let index = 0; index < DUE_COUNT; index++) {
    const options = { taskQueue: 'bare', workflowId: `bare-timer-${index}`, args: [peerDue] };
    peers.push((await client.workflow.start('bareTimerWorkflow', options)).result() as Promise<number>);
  }
  const peerLateness = (await Promise.all(peers)).map((at) => at - peerDue).sort((a, b) => a - b);

  console.log(`\n${DUE_COUNT} due in the same second, milliseconds late`);
  console.log(`  bare: p50 ${quantile(peerLateness, 0.5)}, p99 ${quantile(peerLateness, 0.99)}`);
  const due = { template, peerP99: quantile(peerLateness, 0.99) };
  await measureDue(`${DUE_COUNT} articles due in one second, p99 late, ${PENDING} others pending`, due);
  await makeUnderived(db);
  await measureDue('the same, while the texts of those pending are derived anew, as after an upgrade', due);
  console.log(`  ${await countUnderived(db)} of them were yet to be derived`);
} finally {
  await db.destroy();
  await connection.close();
  await services.stop();
}

async function measureDue(what: string, { template, peerP99 }: { template: string; peerP99: number }): Promise<void> {
  const due = new Date(Math.ceil(Date.now() / 1000) * 1000 + 30_000);
  await scheduleCopies(db, template, DUE_COUNT, due);
  await waitUntil(
    'the actors of those that are due',
    async () => (await client.workflow.count(RUNNING)).count >= PENDING + DUE_COUNT,
    { everyMs: 200 },
  );
  if (Date.now() > due.getTime())
    throw new Error('the articles were due before they were dispatched; the machine is too slow for this');
  const lateness = await awaitPublished(db, due);
  console.log(`  ${what}: p50 ${quantile(lateness, 0.5)}, p99 ${quantile(lateness, 0.99)}`);
  const value = quantile(lateness, 0.99) / peerP99;
  printFigure({ what, value, unit: '× bare timers', goal: { atMost: 1.5 } });
}

/** Marks articles for rendering again, as an upgrade does. A publish starts the rendering. */
async function makeUnderived(database: Database): Promise<void> {
  await database.updateTable('articles').set({ derivedVersion: 1 }).where('status', '=', 'SCHEDULED').execute();
  await sql`checkpoint`.execute(database);
  await publishOne();
}

async function countUnderived(database: Database): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from articles where derived_version = 1`.execute(database);
  return rows[0]?.count ?? Number.NaN;
}

async function publishOne(): Promise<string> {
  const answer = await fetch(`${services.apiUrl}/api/v1/articles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: '---\ntitle: Template\n---\n\nA paragraph.\n' }),
  });
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

/**
 * Inserts the rows of many publishes, including the outbox, without HTTP requests. They are already
 * rendered.
 */
async function scheduleCopies(database: Database, template: string, count: number, at: Date): Promise<void> {
  const name = `copy-${at.getTime()}`;
  await sql`with copies as (
      insert into articles (author_id, slug, title, title_key, canonical_key, cross_post, status, scheduled_at, source, body, derived,
        derived_version, derived_at, fingerprint, content_hash)
      select author_id, ${`${name}-`} || n, title || n, title_key || n, ${`self:${name}-`} || n, cross_post, 'SCHEDULED', ${at}, source, body,
        derived, derived_version, derived_at, fingerprint, content_hash
      from articles, generate_series(1, ${count}::int) n where id = ${template}
      returning id
    ) insert into outbox (article_id) select id from copies`.execute(database);
}

/** Returns milliseconds after the due time, sorted. */
async function awaitPublished(database: Database, due: Date): Promise<number[]> {
  const pattern = `copy-${due.getTime()}-%`;
  const published = () =>
    database
      .selectFrom('articles')
      .select('publishedAt')
      .where('slug', 'like', pattern)
      .where('status', '=', 'PUBLISHED')
      .execute();
  await waitUntil('the hour', async () => (await published()).length >= DUE_COUNT, { everyMs: 250 });
  const rows = await published();
  return rows.map(({ publishedAt }) => (publishedAt?.getTime() ?? 0) - due.getTime()).sort((a, b) => a - b);
}
