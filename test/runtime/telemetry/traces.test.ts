/** Spans of requests to the API and of requests to other servers, as a collector receives them. */
import assert from 'node:assert/strict';
import { hasSubscribers } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { context, trace } from '@opentelemetry/api';
import { fastify } from 'fastify';
import { createApiTracing } from '../../../api/plugins/telemetry/api-tracing.ts';
import { startTracing } from '../../../runtime/telemetry/tracing.ts';
import { closedOrigin, startServer } from '../../destinations/destination-harness.ts';
import { type SentSpan, startCollector } from './collector.ts';

/** The name, kind and attributes of a span; the values of attributes are numbers or texts. */
function describe({ name, kind, attributes, service }: SentSpan): Record<string, unknown> {
  const values = attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]);
  return { name, kind, service, ...Object.fromEntries(values) };
}

test('requests are spans with their route and outcome; a trace continues only from a trusted proxy', async (t) => {
  const collector = await startCollector();
  t.after(() => collector.close());
  const tracing = startTracing('courant-test', collector.endpoint);
  const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  const headers = { traceparent: `00-${parent.traceId}-${parent.spanId}-01` };
  const target = await startServer(t, (request, response) => {
    const isFound = request.url === '/found?secret=1' && request.headers.traceparent === undefined;
    response.writeHead(isFound ? 204 : 404).end();
  });
  const closed = await closedOrigin();
  for (const continues of [true, false]) {
    const api = createApiTracing({ continues });
    const app = fastify({ genReqId: () => 'r-1' });
    api.observe(app);
    app.get<{ Params: { id: string } }>('/articles/:id', async ({ params: { id } }) => {
      if (id === 'broken') throw new Error('Broken.');
      return api.writeTraceparent();
    });
    for (const path of ['/notifications/stream', '/health/live', '/health/ready']) app.get(path, async () => 'x');
    const { body } = await app.inject({ url: '/articles/1?token=secret', headers });
    assert.match(body, continues ? /^00-a{32}-[\da-f]{16}-01$/ : /^00-(?!a{32})[\da-f]{32}-[\da-f]{16}-01$/);
    await app.inject({ url: '/articles/broken', headers });
    for (const path of ['/notifications/stream', '/health/live', '/health/ready', '/nowhere']) await app.inject(path);
    assert.equal(api.writeTraceparent(), null);
    const continued = await api.continueTrace(headers.traceparent, async () => api.writeTraceparent());
    assert.equal(continued, headers.traceparent);
    assert.equal(await api.continueTrace(null, async () => api.writeTraceparent()), null);
    await app.close();
  }
  await fetch(`${target}/without-a-trace`);
  const span = trace.getTracer('test').startSpan('parent');
  await context.with(trace.setSpan(context.active(), span), async () => {
    await (await fetch(`${target}/found?secret=1`)).text();
    await (await fetch(`${target}/missing`, { method: 'POST' })).text();
    await assert.rejects(fetch(closed));
    for (const scheme of ['http', 'https']) await assert.rejects(fetch(`${scheme}://unknown.invalid/`));
  });
  span.end();
  const channels = ['create', 'headers', 'trailers', 'error'].map((event) => `undici:request:${event}`);
  assert.deepEqual(channels.map(hasSubscribers), [true, true, true, true]);
  await tracing.stop();
  assert.deepEqual(channels.map(hasSubscribers), [false, false, false, false], 'requests are observed after the stop');
  await context.with(trace.setSpan(context.active(), span), () => fetch(`${target}/after-the-end`));

  const [server, client] = [2, 3];
  const service = 'courant-test';
  const request = { 'http.request.method': 'GET', 'http.route': '/articles/:id', 'request.id': 'r-1' };
  const ofApi = { name: 'GET /articles/:id', kind: server, service, ...request };
  const { hostname, port } = new URL(target);
  const call = { kind: client, service, 'server.address': hostname, 'server.port': Number(port) };
  const spans = collector.spans.map(describe);
  // Without a network, a resolver has another error.
  const unknown = spans.splice(-3, 2).map(({ 'error.type': type, ...values }) => ({ ...values, hasType: type !== '' }));
  assert.deepEqual(
    unknown,
    [80, 443].map((number) => ({
      ...{ ...call, name: 'GET', 'http.request.method': 'GET', hasType: true },
      ...{ 'server.address': 'unknown.invalid', 'server.port': number },
    })),
  );
  assert.deepEqual(spans, [
    { ...ofApi, 'http.response.status_code': 200 },
    { ...ofApi, 'http.response.status_code': 500 },
    { ...ofApi, 'http.response.status_code': 200 },
    { ...ofApi, 'http.response.status_code': 500 },
    { ...call, name: 'GET', 'http.request.method': 'GET', 'http.response.status_code': 204 },
    { ...call, name: 'POST', 'http.request.method': 'POST', 'http.response.status_code': 404 },
    {
      ...{ ...call, name: 'GET', 'http.request.method': 'GET', 'error.type': 'ECONNREFUSED' },
      'server.port': Number(new URL(closed).port),
    },
    { name: 'parent', kind: 1, service },
  ]);
  assert.deepEqual(
    collector.spans.map(({ status }) => status?.code ?? 0),
    [0, 2, 0, 2, 0, 2, 2, 2, 2, 0],
  );
  const [first, , third] = collector.spans;
  assert.deepEqual([first?.traceId, first?.parentSpanId], [parent.traceId, parent.spanId]);
  assert.deepEqual([third?.traceId === parent.traceId, third?.parentSpanId ?? ''], [false, '']);
});
