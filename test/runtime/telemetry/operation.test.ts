/**
 * The view of an operator: metrics, a trace and logs of a publish from real processes, without
 * secrets.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { createApiMetrics } from '../../../api/plugins/telemetry/api-metrics.ts';
import { createApiTracing } from '../../../api/plugins/telemetry/api-tracing.ts';
import { type MetricsServer, serveMetrics } from '../../../runtime/telemetry/serve-metrics.ts';
import { startTracing, type Tracing } from '../../../runtime/telemetry/tracing.ts';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { ROWS } from '../../destinations/rows/index.ts';
import { markdown } from '../../support/api/api.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../../support/delivery/delivery.ts';
import {
  buildFault,
  createConnectedAuthor,
  publishArticle,
  waitForDeliveryEnd,
} from '../../support/delivery/publishing.ts';
import { prepareWorker, type WorkerProcess } from '../../support/delivery/worker-process.ts';
import { eventually } from '../../support/eventually.ts';
import { buildTestBundle } from '../../support/workflow-bundle.ts';
import { startCollector } from './collector.ts';
import { listMentionedMetrics, listSamples, type Sample } from './exposition.ts';

const REQUEST_ID = 'request-of-the-test-1';
const TIMEOUT = { withinMs: 60_000 };

const collector = await startCollector();
const apiLog: string[] = [];
const ports = { api: await findFreePort(), worker: await findFreePort(), temporal: await findFreePort() };
let tracing: Tracing;
let shown: MetricsServer | undefined;
let world: DeliveryWorld;
let worker: WorkerProcess;
let articleId: string;

before(async () => {
  const metrics = createApiMetrics();
  const address = { host: '127.0.0.1', port: ports.api };
  shown = await serveMetrics(metrics.registry, address, { fatal: (problem: unknown) => assert.fail(String(problem)) });
  tracing = startTracing('courant-api', collector.endpoint);
  const observed = {
    metrics,
    tracing: createApiTracing({ continues: false }),
    interceptors: tracing.clientInterceptors,
    log: { write: (line: string) => void apiLog.push(line) },
  };
  world = await startDeliveryWorld({ worker: false, api: { observed } });
  worker = prepareWorker(world, {
    env: {
      LOG_LEVEL: 'debug',
      WORKER_METRICS_PORT: String(ports.worker),
      TEMPORAL_METRICS_PORT: String(ports.temporal),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    },
  });
  await copyBundle(join(world.api.home, 'cache'));
  await worker.start();
  const { api } = world;
  for (const destination of ['blogsite_a', 'blogsite_b'] as const) await world.connect(api.author, destination);
  // One destination rejects the credential, which must not appear in the log.
  await world.faults([{ platform: 'blogsite_b', action: 'any', times: 100, status: 401 }]);
  const headers = { 'x-request-id': REQUEST_ID, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  const content = markdown({ title: 'Observed', published: true });
  const answer = await api.publish({ content }, { headers });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  assert.equal(answer.headers.get('x-request-id'), REQUEST_ID);
  articleId = answer.body.data?.id ?? '';
  await world.reaches(articleId, 'blogsite_a', 'delivered', TIMEOUT.withinMs);
  await eventually(
    'the refusal',
    async () => (await readValue('worker', 'courant_deliveries_total', 'blogsite_b', 'unauthorised')) > 0,
    TIMEOUT,
  );
});

after(async () => {
  await worker?.stop();
  await world?.close();
  await tracing?.stop();
  await shown?.close();
  await collector.close();
});

/** Bundled once for all tests, because the worker would otherwise build it during a test. */
async function copyBundle(folder: string): Promise<void> {
  const bundle = await buildTestBundle({ isTraced: true });
  await mkdir(folder, { recursive: true });
  await copyFile(bundle, join(folder, basename(bundle)));
}

async function scrape(part: keyof typeof ports): Promise<Sample[]> {
  const response = await fetch(`http://127.0.0.1:${ports[part]}/metrics`);
  assert.equal(response.status, 200);
  return listSamples(await response.text());
}

/** Returns the sum of the samples with this name and these label values. */
async function readValue(part: keyof typeof ports, name: string, ...words: string[]): Promise<number> {
  const found = (await scrape(part)).filter(
    (sample) => sample.name === name && words.every((word) => sample.labels.includes(`"${word}"`)),
  );
  return found.reduce((sum, { value }) => sum + value, 0);
}

test('a publish is counted by route and outcome, never by address', async () => {
  assert.equal(await readValue('api', 'courant_publishes_total', 'created'), 1);
  assert.equal(await readValue('api', 'courant_http_requests_total', 'POST', '/api/v1/articles', '201'), 1);
  await world.api.publish({ content: 'no title' }, { token: 'courant_nobody' });
  await fetch(`${world.api.url}/no/such/address-${Math.random()}`, { method: 'PROPFIND' });
  await eventually('the refusal to be counted', async () =>
    (await scrape('api')).find(({ name, labels }) => name === 'courant_publishes_total' && /unauth|token/.test(labels)),
  );
  const routes = (await scrape('api')).filter(({ name }) => name === 'courant_http_requests_total');
  assert.ok(routes.every(({ labels }) => !labels.includes('address') && !labels.includes('PROPFIND')));
});

test('the state of the service is read from the database at each scrape', async () => {
  assert.equal(await readValue('api', 'courant_database_up'), 1);
  assert.equal(await readValue('api', 'courant_listen_up'), 1);
  await eventually('an empty outbox', async () => (await readValue('api', 'courant_outbox_rows')) === 0);
  assert.ok((await readValue('api', 'courant_worker_unseen_seconds')) < 3_600);
});

test('metrics have their own address, separate from the public one', async () => {
  const page = await fetch(`${world.api.url}/metrics`);
  assert.equal(page.status, 404);
  assert.equal((await fetch(`http://127.0.0.1:${ports.api}/`)).status, 404);
});

test('a worker counts outcomes of deliveries, and the Temporal SDK counts its own work', async () => {
  assert.equal(await readValue('worker', 'courant_deliveries_total', 'blogsite_a', 'delivered'), 1);
  assert.equal(await readValue('worker', 'courant_delivery_attempts_total', 'blogsite_a', 'done'), 1);
  assert.ok((await readValue('temporal', 'temporal_workflow_completed')) > 0);
});

test('a failed delivery is not a failure of the worker in its metrics and logs', async () => {
  const author = await createConnectedAuthor(world, 'blogsite_a');
  await world.faults([buildFault('create', { status: 422, body: { error: 'Body is too rude', status: 422 } })]);
  const { id } = await publishArticle(world, author, { title: 'Refused' });
  assert.match(await waitForDeliveryEnd(world, id, 'blogsite_a'), /^failed: .*too rude/);
  const line = await eventually(
    'the line of its end',
    async () =>
      worker
        .output()
        .split('\n')
        .find((text) => text.includes(`delivery/${id}/blogsite_a`) && text.includes('Workflow failed')),
    TIMEOUT,
  );
  assert.equal(JSON.parse(line).level, 20, 'debug');
  const counted = (await scrape('temporal')).filter(({ name }) => /workflow(_task_execution)?_failed$/.test(name));
  assert.deepEqual(counted, []);
});

test('a failed workflow task is counted by the metric of its alert', async () => {
  const { taskQueue } = world.api;
  const workflowId = `broken-${articleId}`;
  const broken = await world.client.workflow.start('workflowThatIsNotThere', { taskQueue, workflowId });
  const isCounted = async () =>
    (await readValue('temporal', 'temporal_workflow_task_execution_failed', 'workflowThatIsNotThere')) > 0;
  await eventually('the failure to be counted', isCounted, TIMEOUT);
  await broken.terminate();
});

test('every metric of dashboard, alerts and documentation is exposed, and all of ours are documented', async () => {
  const samples = (await Promise.all([scrape('api'), scrape('worker'), scrape('temporal')])).flat();
  const exposed = new Set(samples.map(({ family }) => family));
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const page = 'docs/self-hosting/operation.md';
  const documented = listMentionedMetrics(read(page));
  for (const path of ['ops/grafana/courant.json', 'ops/prometheus/alerts.yml', page]) {
    const unknown = listMentionedMetrics(read(path)).filter((name) => !exposed.has(name));
    assert.deepEqual(unknown, [], path);
  }
  const own = [...exposed].filter((name) => name.startsWith('courant_'));
  assert.deepEqual(
    own.filter((name) => !documented.includes(name)),
    [],
  );
});

test('every alert links to an existing section with the next steps', () => {
  const alerts = readFileSync(new URL('../../../ops/prometheus/alerts.yml', import.meta.url), 'utf8');
  const text = readFileSync(new URL('../../../docs/self-hosting/alerts.md', import.meta.url), 'utf8');
  const sections = [...text.matchAll(/^###? (.+)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  );
  const names = [...alerts.matchAll(/- alert: (\S+)/g)].map(([, name]) => name);
  const links = [...alerts.matchAll(/runbook_url: docs\/self-hosting\/alerts\.md#(\S+)/g)].map(
    ([, anchor = '']) => anchor,
  );
  assert.equal(links.length, names.length);
  assert.deepEqual(
    links.filter((anchor) => !sections.includes(anchor)),
    [],
  );
});

test('one trace leads from the request through the workflows to the destination', async () => {
  const steps = [
    ['courant-api', 'POST /api/v1/articles'],
    ['courant-worker', 'RunWorkflow:deliveryWorkflow'],
    ['courant-worker', 'RunActivity:planAndSend'],
    ['courant-worker', 'POST'],
  ] as const;
  const isStep = (service: string, name: string) =>
    collector.spans.find((span) => span.service === service && span.name === name && span.traceId === findTrace());
  const findTrace = () => collector.spans.find(({ name }) => name === 'POST /api/v1/articles')?.traceId;
  await eventually('the whole trace', async () => steps.every(([service, name]) => isStep(service, name)), TIMEOUT);
  assert.notEqual(findTrace(), 'a'.repeat(32), 'strangers do not choose the trace that they are in');
  const call = isStep('courant-worker', 'POST');
  assert.ok(
    collector.spans.some(({ spanId, name }) => spanId === call?.parentSpanId && name === 'RunActivity:planAndSend'),
  );
});

test('every log line is JSON, and a request id leads to the lines of its deliveries', async () => {
  const [fromApi, fromWorker] = [apiLog.join('').trim().split('\n'), worker.output().trim().split('\n')].map((lines) =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  );
  const found = fromApi?.find((line) => line.reqId === REQUEST_ID && 'articleId' in line);
  assert.equal(found?.articleId, articleId);
  for (const destination of ['blogsite_a', 'blogsite_b']) {
    const own = fromWorker?.filter(({ workflowId }) => workflowId === `delivery/${found?.articleId}/${destination}`);
    assert.ok(
      own?.some(({ attempt, activityType }) => attempt === 1 && typeof activityType === 'string'),
      destination,
    );
  }
});

test('neither logs nor traces contain secrets', () => {
  const secrets = ROWS.map(({ secret }) => secret).concat(world.api.author.token);
  const everything = [...apiLog, worker.output(), JSON.stringify(collector.spans)].join('\n');
  assert.ok(everything.length > 10_000);
  for (const secret of secrets) assert.ok(!everything.includes(secret), `of ${secret.slice(0, 3)}…`);
});
