/**
 * The API and a worker as processes with PgBouncer in transaction mode, which has fewer sessions
 * than they have connections.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { explainAbsence, findTool } from '../../scripts/check/set-up.ts';
import { checkPooler } from '../../scripts/doctor/check-pooler.ts';
import { startApiProcess } from '../api/support/api-process.ts';
import { markdown } from '../support/api/api.ts';
import { openStream } from '../support/api/event-stream.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../support/delivery/delivery.ts';
import { createConnectedAuthor } from '../support/delivery/publishing.ts';
import { prepareWorker, type WorkerProcess } from '../support/delivery/worker-process.ts';
import { readTemporalAddress } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';
import { type PgBouncer, startPgBouncer } from './support/pgbouncer.ts';
import { publishPatiently } from './support/publish.ts';

const program = findTool('PGBOUNCER') ?? '';
const skip = program === '' && explainAbsence('PGBOUNCER');
const SESSIONS = 4;
const ARTICLES = 9;

let world: DeliveryWorld;
let pooler: PgBouncer;
let worker: WorkerProcess;
let smtp: TestSmtpServer;
let api: Awaited<ReturnType<typeof startApiProcess>>;
before(async () => {
  if (skip) return;
  world = await startDeliveryWorld({ worker: false });
  pooler = await startPgBouncer(program, world.api.databaseUrl, SESSIONS);
  smtp = await startSmtpServer();
  const env = {
    DATABASE_DIRECT_URL: world.api.databaseUrl,
    DATABASE_PREPARED_STATEMENTS: pooler.bearsPrepared ? 'on' : 'off',
  };
  worker = prepareWorker(world, {
    env: { ...env, DATABASE_URL: pooler.url, SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, DELIVERY_PACING: 'off' },
  });
  await worker.start();
  api = await startApiProcess({
    like: world.api,
    temporal: readTemporalAddress(),
    databaseUrl: pooler.url,
    env,
  });
});
after(async () => {
  if (skip) return;
  await api.kill();
  await worker.kill();
  await smtp.close();
  await pooler.close();
  await world.close();
});

test('concurrent publishes are delivered and streamed through a pooler in transaction mode', {
  skip,
}, async () => {
  const author = await createConnectedAuthor(world, 'blogsite_b');
  const stream = await openStream(api.url, await world.api.sessions.issue('courant:stream', author.id));
  assert.equal(stream.status, 200);
  const titles = Array.from({ length: ARTICLES }, (_, n) => `Pooled ${n}`);
  const cross_post = { blogsite_a: false, blogsite_b: true };
  const publish = (title: string) => publishPatiently(api.url, author.token, markdown({ title, cross_post }));
  const answers = await Promise.all(titles.map(publish));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  const events = await stream.count(ARTICLES, 180_000);
  assert.deepEqual(
    events.map(({ data }) => `${data.type} ${data.postTitle}`).sort(),
    titles.map((title) => `CROSS_POST_SUCCESS ${title}`).sort(),
  );
  for (const title of titles) assert.equal((await world.log(title)).length, 1, title);
  // Repeated: an update with prepared statements, each on any free session.
  const again = await Promise.all(titles.map(publish));
  assert.deepEqual(new Set(again.map(({ status }) => status)), new Set([200]));
  stream.close();
});

test('search, which sets limits for its transaction, leaves none of them to the next one', { skip }, async () => {
  const search = () => fetch(`${api.url}/api/v1/articles?q=pooled`);
  const answers = await Promise.all(Array.from({ length: 20 }, search));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and query ilike 'listen %'`.execute(
    world.api.db,
  );
  assert.ok((rows[0]?.count ?? 0) >= 1, 'who listens does so at PostgreSQL itself');
});

test('a digest is mailed once through the pooler', { skip }, async () => {
  const author = await world.api.createAuthor('pooled-digest');
  const { body } = await publishPatiently(api.url, author.token, markdown({ title: 'Read by many' }));
  const day = sql<string>`(now() - interval '1 day')::date`;
  await world.api.db
    .insertInto('articleDays')
    .values({ articleId: body.data?.id ?? '', day, views: 12 })
    .execute();
  await world.api.db
    .updateTable('digestSettings')
    .set({ nextDueAt: new Date() })
    .where('userId', '=', author.id)
    .execute();
  const sweep = (workflowId: string) =>
    world.client.workflow.execute('digestSweepWorkflow', { taskQueue: world.api.taskQueue, workflowId, args: [] });
  await sweep(`pooled-1-${author.id}`);
  await eventually('the digest', async () => smtp.mails.some(({ to }) => to === `${author.username}@example.org`), {
    withinMs: 180_000,
  });
  await sweep(`pooled-2-${author.id}`);
  const { rows } = await sql`select state from digests where user_id = ${author.id}`.execute(world.api.db);
  assert.deepEqual(rows, [{ state: 'sent' }]);
  assert.equal(smtp.mails.filter(({ to }) => to === `${author.username}@example.org`).length, 1);
});

test('the doctor detects the pooler, its mode, and the settings that it requires', { skip }, async () => {
  const [databaseUrl, databaseDirectUrl] = [pooler.url, world.api.databaseUrl];
  const right = { databaseUrl, databaseDirectUrl, databasePooled: true, databasePrepares: false };
  const diagnose = async (change: Partial<typeof right>) => {
    const [finding] = await checkPooler({ ...right, ...change });
    return `${finding?.level}: ${finding?.message}`;
  };
  assert.match(await diagnose({}), /^ok: The pooler accepts our statements/);
  const unaware = { databaseDirectUrl: databaseUrl, databasePooled: false, databasePrepares: true };
  assert.match(await diagnose(unaware), /^fail: DATABASE_URL points to a pooler in transaction mode/);
  assert.match(
    await diagnose({ databaseDirectUrl: databaseUrl }),
    /^fail: DATABASE_DIRECT_URL also points to a pooler/,
  );
  assert.equal(await diagnose({ databaseUrl: databaseDirectUrl, databasePooled: false }), 'undefined: undefined');
  assert.match(
    await diagnose({ databasePrepares: true }),
    pooler.bearsPrepared ? /^ok/ : /^fail: .*loses prepared statements/,
  );
});
