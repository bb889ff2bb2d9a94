/** The configuration, logs and metrics of a worker process. */
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { readWorkerConfig } from '../../worker/config.ts';
import { createWorkerMetrics, type WorkerMetrics } from '../../worker/metrics/worker-metrics.ts';
import { installSdkRuntime } from '../../worker/sdk-runtime.ts';
import { type OpenTestDatabase, openTestDatabase } from '../support/environment.ts';

let database: OpenTestDatabase;
let metrics: WorkerMetrics;
before(async () => {
  database = await openTestDatabase();
  metrics = createWorkerMetrics(database.db);
});
after(() => database.close());

const DATABASE_URL = 'postgres://localhost/x';

test('unset variables of a worker have defaults', () => {
  const {
    metrics: own,
    temporalMetrics,
    pacing,
    lateArrivalMs,
    aliveFile,
    smtpUrl,
    mailFrom,
  } = readWorkerConfig({ DATABASE_URL });
  assert.deepEqual(
    { own, temporalMetrics, pacing, lateArrivalMs, aliveFile, smtpUrl, mailFrom },
    {
      ...{ own: null, temporalMetrics: null, pacing: true, lateArrivalMs: 90_000 },
      ...{ aliveFile: undefined, smtpUrl: undefined, mailFrom: undefined },
    },
  );
});

test('each variable of a worker is read', () => {
  const config = readWorkerConfig({
    ...{ DATABASE_URL, WORKER_METRICS_PORT: '9001', TEMPORAL_METRICS_PORT: '9002', LATE_REQUEST_SECONDS: '3600' },
    ...{ ALIVE_FILE: '/tmp/alive', SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'News <news@example.org>' },
  });
  assert.deepEqual(
    [config.metrics?.port, config.temporalMetrics?.port, config.lateArrivalMs],
    [9_001, 9_002, 3_600_000],
  );
  assert.deepEqual(
    [config.aliveFile, config.smtpUrl, config.mailFrom],
    ['/tmp/alive', 'smtp://mail.example', 'News <news@example.org>'],
  );
  assert.equal(readWorkerConfig({ DATABASE_URL, LATE_REQUEST_SECONDS: '1' }).lateArrivalMs, 1_000);
});

test('malformed variables of a worker are named with their form', () => {
  for (const [name, value, form] of [
    ['SMTP_URL', 'http://mail.example', 'smtp[s]://[user:password@]host[:port]'],
    ['MAIL_FROM', 'a, b', 'Name <address> or an address'],
    ['LATE_REQUEST_SECONDS', '0', ' 1 '],
    ['LATE_REQUEST_SECONDS', '3601', '3600'],
    ['WORKER_METRICS_PORT', 'x', ''],
    ['TEMPORAL_METRICS_PORT', 'x', ''],
  ] as const) {
    assert.throws(
      () => readWorkerConfig({ DATABASE_URL, [name]: value }),
      (error: Error) => error.name === 'ConfigError' && error.message.includes(name) && error.message.includes(form),
      `${name}=${value}`,
    );
  }
});

/** Runs an activity through the interceptor of the metrics. */
async function run(
  activityType: string,
  result: unknown,
  { workflowId = 'delivery/a1/blogsite_a', args = [] as unknown[] } = {},
) {
  const [createInterceptor] = metrics.activityInterceptors;
  const info = { activityType, workflowExecution: workflowId === '' ? undefined : { workflowId } };
  const { inbound } = createInterceptor?.({ info } as never) ?? {};
  const returned = await inbound?.execute?.({ args, headers: {} }, async () => result);
  assert.equal(returned, result);
}

async function readCounters(): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => /^courant_deliver\w+\{/.test(line));
}

test('attempts and recorded outcomes are counted by destination', async () => {
  await run('sendDelivery', { kind: 'unavailable' });
  await run('sendDelivery', { kind: 'unavailable' });
  await run('planAndSend', { outcome: { kind: 'done', recorded: { isCurrent: true } } });
  await run('planAndSend', { outcome: null });
  await run('recordOutcome', undefined, { args: [{ outcome: { kind: 'failed', state: 'unknown' } }] });
  await run('recordOutcome', undefined, { args: [{ outcome: { kind: 'withdrawn' } }] });
  await run('planStep', { kind: 'unavailable' });
  await run('sendDelivery', { kind: 'unavailable' }, { workflowId: 'mail/m1/blogsite_a' });
  await run('sendDelivery', { kind: 'unavailable' }, { workflowId: 'delivery/a1' });
  await run('sendDelivery', { kind: 'unavailable' }, { workflowId: '' });
  assert.deepEqual(await readCounters(), [
    'courant_delivery_attempts_total{destination="blogsite_a",outcome="unavailable"} 2',
    'courant_delivery_attempts_total{destination="blogsite_a",outcome="done"} 1',
    'courant_deliveries_total{destination="blogsite_a",outcome="delivered"} 1',
    'courant_deliveries_total{destination="blogsite_a",outcome="unknown"} 1',
    'courant_deliveries_total{destination="blogsite_a",outcome="withdrawn"} 1',
  ]);
});

test('each metric has a description', async () => {
  const text = await metrics.registry.metrics();
  for (const [name, help] of [
    ['courant_delivery_attempts_total', 'Attempts to send to a destination, by outcome'],
    ['courant_deliveries_total', 'Recorded outcomes of deliveries'],
    ['courant_database_connections', 'Open database connections in the pool'],
    ['courant_database_waiting', 'Statements waiting for a database connection'],
  ] as const) {
    assert.ok(text.includes(`# HELP ${name} ${help}\n`), name);
  }
  assert.match(text, /^courant_database_connections \d+$/m);
  assert.match(text, /^courant_database_waiting 0$/m);
});

type Installed = NonNullable<Parameters<typeof Runtime.install>[0]>;

/** Returns the options of the SDK's runtime, which a process can install only once. */
function readRuntime(t: TestContext, ...[log, metricsAddress]: Parameters<typeof installSdkRuntime>): Installed {
  const install = t.mock.method(Runtime, 'install', () => undefined as never);
  installSdkRuntime(log, metricsAddress);
  return install.mock.calls[0]?.arguments[0] as Installed;
}

test('the SDK logs at its levels; expected events are for debugging', (t) => {
  const lines: { level: number; msg: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const { logger } = readRuntime(t, pino({ level: 'info' }, { write }), null);
  for (const [level, message, meta] of [
    ['warn', 'Something', { a: 1 }],
    ['error', 'Worse', undefined],
    ['info', 'Not shown', undefined],
    ['warn', 'No workflows registered for this queue', undefined],
    ['warn', 'Workflow failed', { error: new Error('failed: No.') }],
    ['warn', 'Workflow failed', { error: new Error('a bug') }],
    ['warn', 'Workflow failed', { error: 'failed: No.' }],
    ['warn', 'Another failed', { error: new Error('failed: No.') }],
  ] as const) {
    logger?.[level](message, meta);
  }
  const shown = ['40 Something', '50 Worse', '40 Workflow failed', '40 Workflow failed', '40 Another failed'];
  assert.deepEqual(
    lines.map(({ level, msg }) => `${level} ${msg}`),
    shown,
  );
  const debug = readRuntime(t, pino({ level: 'debug' }, { write }), null);
  debug.logger?.info('Shown');
  debug.logger?.warn('No workflows registered');
  debug.logger?.debug('Details');
  assert.deepEqual(
    lines.slice(shown.length).map(({ level, msg }) => `${level} ${msg}`),
    ['30 Shown', '20 No workflows registered', '20 Details'],
  );
});

test('the SDK handles no signals, and serves its metrics at the configured address', (t) => {
  const log = pino({ level: 'silent' });
  const { shutdownSignals, telemetryOptions } = readRuntime(t, log, null);
  assert.deepEqual(shutdownSignals, []);
  assert.equal('metrics' in (telemetryOptions ?? {}), false);
  assert.deepEqual(telemetryOptions?.logging, { filter: telemetryOptions?.logging?.filter, forward: {} });
  assert.match(String(telemetryOptions?.logging?.filter), /^error,.*=WARN/i);
  for (const [host, bindAddress] of [
    ['127.0.0.1', '127.0.0.1:9002'],
    ['::1', '[::1]:9002'],
  ] as const) {
    t.mock.restoreAll();
    const { telemetryOptions: served } = readRuntime(t, log, { host, port: 9_002 });
    assert.deepEqual(served?.metrics, { prometheus: { bindAddress } });
  }
});
