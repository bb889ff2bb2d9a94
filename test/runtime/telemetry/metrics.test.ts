/** The metrics of the API, and the server that shows them, without other processes. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fastify } from 'fastify';
import { Registry } from 'prom-client';
import { ProblemError } from '../../../api/plugins/errors/problem.ts';
import { createApiMetrics, type MetricSources } from '../../../api/plugins/telemetry/api-metrics.ts';
import { healthRoutes, withTimeout } from '../../../api/plugins/telemetry/health.ts';
import { observeCounter, observeGauge } from '../../../runtime/telemetry/registry.ts';
import { serveMetrics } from '../../../runtime/telemetry/serve-metrics.ts';
import { countConnections, openDatabase } from '../../../store/db/database.ts';
import { createTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { listSamples } from './exposition.ts';

async function openTestDatabase(context: TestContext) {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase(url, { maxConnections: 2 });
  context.after(async () => {
    await db.destroy();
    await drop();
  });
  return db;
}

const FAILURES = { fatal: (problem: unknown) => assert.fail(String(problem)) };
/** Of a closed port. */
const UNREACHABLE = 'postgres://nobody@127.0.0.1:9/none';

const SOURCES: Omit<MetricSources, 'db'> = {
  cacheFastPath: { served: 2 },
  responseCache: { bytes: 3_000, count: 3 },
  hub: { streamCount: () => 4, eventCount: () => 5 },
  listener: { isListening: () => true },
  publishQueue: { load: () => ({ running: 1, waiting: 6 }) },
  documents: { load: () => ({ running: 7, waiting: 8 }) },
};

/** The help and the samples of our metrics, without those of requests. */
async function listOwn(registry: Registry): Promise<string[]> {
  const lines = (await registry.metrics()).split('\n');
  return lines
    .filter((line) => /^(# HELP )?courant_/.test(line) && !/courant_(http|publishes)/.test(line))
    .map((line) => line.replace(/^(courant_database_(?:connections|waiting)) \d+$/, '$1'));
}

test('the API shows its own state, and that of the installation', async (context) => {
  const db = await openTestDatabase(context);
  const metrics = createApiMetrics();
  metrics.observe(fastify(), { ...SOURCES, db });
  const own = await listOwn(metrics.registry);
  assert.deepEqual(own, [
    '# HELP courant_outbox_rows Outbox rows whose workflow has not been signalled',
    'courant_outbox_rows 0',
    '# HELP courant_outbox_age_seconds Age of the oldest outbox row',
    'courant_outbox_age_seconds 0',
    '# HELP courant_schedules_late Scheduled articles past their time',
    'courant_schedules_late 0',
    '# HELP courant_schedule_lateness_seconds Lateness of the most overdue scheduled article',
    'courant_schedule_lateness_seconds 0',
    '# HELP courant_worker_unseen_seconds Time since any worker was seen',
    'courant_worker_unseen_seconds +Inf',
    '# HELP courant_temporal_unseen_seconds Time since any worker reached Temporal',
    'courant_temporal_unseen_seconds +Inf',
    '# HELP courant_database_up 1 while the database responds',
    'courant_database_up 1',
    '# HELP courant_cached_responses_served_total Cached responses sent before routing',
    'courant_cached_responses_served_total 2',
    '# HELP courant_cached_responses Cached responses in memory',
    'courant_cached_responses 3',
    '# HELP courant_cached_response_bytes Memory used by cached responses',
    'courant_cached_response_bytes 3000',
    '# HELP courant_streams_open Open event streams of this instance',
    'courant_streams_open 4',
    '# HELP courant_events_sent_total Events written to streams',
    'courant_events_sent_total 5',
    '# HELP courant_listen_up 1 while the LISTEN connection is up',
    'courant_listen_up 1',
    '# HELP courant_documents_running Documents being processed in threads',
    'courant_documents_running 7',
    '# HELP courant_documents_waiting Documents waiting for a thread',
    'courant_documents_waiting 14',
    '# HELP courant_database_connections Connections in the pool',
    'courant_database_connections',
    '# HELP courant_database_waiting Statements waiting for a connection',
    'courant_database_waiting',
  ]);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const work = [1, 2, 3].map(() => db.connection().execute(() => held));
  await eventually(
    'all connections to be in use',
    async () => countConnections(db).open === 2 && countConnections(db).waiting === 1,
  );
  const samples = listSamples(await metrics.registry.metrics());
  const read = (name: string) => samples.find((sample) => sample.name === name)?.value;
  assert.equal(read('courant_database_connections'), 2);
  // A scrape a second later waits as well.
  assert.ok([1, 2].includes(read('courant_database_waiting') ?? 0));
  release();
  await Promise.all(work);
});

test('without the database the gauges of the installation have a gap', async (context) => {
  const db = openDatabase(UNREACHABLE, { maxConnections: 1 });
  context.after(() => db.destroy());
  const metrics = createApiMetrics();
  metrics.observe(fastify(), { ...SOURCES, db, listener: { isListening: () => false } });
  const own = await listOwn(metrics.registry);
  for (const line of [
    'courant_database_up 0',
    'courant_outbox_rows Nan',
    'courant_listen_up 0',
    'courant_streams_open 4',
  ])
    assert.ok(own.includes(line), line);
});

test('requests are counted by method, route and status, and publishes by outcome', async () => {
  const metrics = createApiMetrics();
  const app = fastify();
  const db = openDatabase(UNREACHABLE, { maxConnections: 1 });
  metrics.observe(app, { ...SOURCES, db });
  app.post<{ Querystring: { status: string } }>('/api/v1/articles', async ({ query }, reply) => {
    if (query.status === 'replayed') reply.header('idempotency-replayed', 'true');
    if (query.status === '422') throw new ProblemError(422, 'invalid_document', 'No.');
    return reply.code(query.status === '201' ? 201 : 200).send('x');
  });
  app.get('/notifications/stream', async () => 'x');
  app.get('/api/v1/articles', async () => 'x');
  for (const status of ['201', '200', 'replayed', '422', '201'])
    await app.inject({ method: 'POST', url: `/api/v1/articles?status=${status}` });
  for (const url of ['/notifications/stream', '/api/v1/articles']) await app.inject(url);
  await app.inject({ method: 'PATCH', url: '/nowhere' });
  metrics.countPublish('desk', 'created');
  await app.close();
  await db.destroy();
  const text = await metrics.registry.metrics();
  const list = (name: string) =>
    listSamples(text)
      .filter((sample) => sample.name === name)
      .map(({ labels, value }) => `${labels} ${value}`);
  assert.deepEqual(list('courant_http_requests_total'), [
    '{method="POST",route="/api/v1/articles",status="201"} 2',
    '{method="POST",route="/api/v1/articles",status="200"} 2',
    '{method="POST",route="/api/v1/articles",status="422"} 1',
    '{method="GET",route="/notifications/stream",status="200"} 1',
    '{method="GET",route="/api/v1/articles",status="200"} 1',
    '{method="none",route="none",status="404"} 1',
  ]);
  assert.deepEqual(list('courant_http_request_duration_seconds_count'), [
    '{method="POST",route="/api/v1/articles"} 5',
    '{method="GET",route="/api/v1/articles"} 1',
    '{method="none",route="none"} 1',
  ]);
  const [sum = ''] = list('courant_http_request_duration_seconds_sum');
  const seconds = Number(sum.split(' ').at(-1));
  assert.ok(seconds > 0 && seconds < 5, sum);
  const bounds = list('courant_http_request_duration_seconds_bucket').slice(0, 12);
  assert.deepEqual(
    bounds.map((line) => /le="([^"]+)"/.exec(line)?.[1]),
    ['0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10', '+Inf'],
  );
  assert.deepEqual(list('courant_publishes_total'), [
    '{interface="rest",outcome="created"} 2',
    '{interface="rest",outcome="updated"} 1',
    '{interface="rest",outcome="replayed"} 1',
    '{interface="rest",outcome="invalid_document"} 1',
    '{interface="desk",outcome="created"} 1',
  ]);
  for (const help of [
    'courant_http_requests_total Requests, including those that matched no route',
    'courant_http_request_duration_seconds Time from the request headers to the end of the response',
    'courant_publishes_total Publishes by interface and outcome',
  ])
    assert.ok(text.includes(`# HELP ${help}\n`), help);
});

test('the metrics have one address, for GET and HEAD; a failed read is a gap, a failed count an error', async (context) => {
  const registry = new Registry();
  let count = 1;
  observeGauge(registry, { name: 'a', help: 'A.', read: () => Promise.reject(new Error('Gone.')) });
  observeCounter(registry, { name: 'b', help: 'B.', read: () => count });
  assert.equal(await serveMetrics(registry, null, FAILURES), undefined);
  const port = await findPort();
  const server = await serveMetrics(registry, { host: '127.0.0.1', port }, FAILURES);
  context.after(() => server?.close());
  const send = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
  const shown = await send('/metrics');
  assert.equal(shown.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(await shown.text(), '# HELP a A.\n# TYPE a gauge\na Nan\n\n# HELP b B.\n# TYPE b counter\nb 1\n');
  count = 3;
  assert.match(await (await send('/metrics')).text(), /^b 3$/m);
  assert.deepEqual([(await send('/metrics', 'HEAD')).status, (await send('/')).status], [200, 404]);
  const posted = await send('/metrics', 'POST');
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  count = Number.NaN;
  observeCounter(registry, { name: 'c', help: 'C.', read: () => Promise.reject(new Error('Lost.')) });
  const failed = await send('/metrics');
  assert.deepEqual([failed.status, await failed.text()], [500, 'Could not read the metrics: Lost.\n']);
  // An open connection does not delay the end.
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.on('error', () => undefined);
  await server?.close();
  await assert.rejects(send('/metrics'));
});

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('the process is ready while the database responds', async (context) => {
  const build = (db: Awaited<ReturnType<typeof openTestDatabase>>) => {
    const app = fastify();
    app.setErrorHandler((error: ProblemError, _request, reply) =>
      reply.code(error.statusCode).headers(error.headers).send([error.code, error.message]),
    );
    app.register(healthRoutes, { db });
    return app;
  };
  const ready = build(await openTestDatabase(context));
  for (const path of ['/health/live', '/health/ready']) {
    const answer = await ready.inject(path);
    assert.deepEqual([answer.statusCode, answer.json()], [200, { status: 'ok' }]);
  }
  const unreachable = openDatabase(UNREACHABLE, { maxConnections: 1 });
  const app = build(unreachable);
  const refused = await app.inject('/health/ready');
  assert.deepEqual(
    [refused.statusCode, refused.headers['retry-after'], refused.json()],
    [503, '2', ['database_unavailable', 'The database is unreachable.']],
  );
  assert.equal((await app.inject('/health/live')).statusCode, 200);
  await unreachable.destroy();
  const never = new Promise(() => undefined);
  const keepAlive = setTimeout(() => undefined, 60_000);
  await assert.rejects(withTimeout(never, 10), { message: 'no response within 10 ms' });
  clearTimeout(keepAlive);
  assert.equal(await withTimeout(Promise.resolve('in time'), 1_000), 'in time');
});
