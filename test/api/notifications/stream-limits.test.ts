/** Limits of event streams, and the responses to rejected and evicted clients. */
import assert from 'node:assert/strict';
import { request as sendRequest } from 'node:http';
import { test } from 'node:test';
import fc from 'fast-check';
import { CompiledQuery } from 'kysely';
import { createStreamRegister } from '../../../api/notifications/stream/stream-limits.ts';
import { startTestApi } from '../../support/api/api.ts';
import { visitDesk } from '../../support/api/desk.ts';
import { openDeskStream, openStream } from '../../support/api/event-stream.ts';
import { createTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';
import { runs } from '../../support/property-runs.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

test('no user or network exceeds its limit of streams, and only the oldest are evicted', () => {
  const step = fc.record({ user: fc.integer({ min: 0, max: 3 }), close: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const register = createStreamRegister<ReturnType<typeof createStream>>({ perUser: 3, perAddress: 7 });
      const open: ReturnType<typeof createStream>[] = [];
      for (const [at, { user, close }] of steps.entries()) {
        const mine = open.filter((stream) => stream.userId === String(user));
        if (close && mine[0]) {
          register.remove(mine[0]);
          open.splice(open.indexOf(mine[0]), 1);
          continue;
        }
        const stream = createStream(String(user), String(at));
        const evicted = register.add(stream);
        const expected = mine.length === 3 ? mine[0] : open.length === 7 ? open[0] : undefined;
        assert.deepEqual(evicted, expected ? [expected] : []);
        for (const ended of evicted) {
          open.splice(open.indexOf(ended), 1);
          assert.equal(register.consumeEviction(ended.client), true);
          assert.equal(register.consumeEviction(ended.client), false);
        }
        open.push(stream);
        assert.equal(register.count(), open.length);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('clients of one IPv6 /64 count as one network', () => {
  const register = createStreamRegister<ReturnType<typeof createStream>>({ perUser: 9, perAddress: 1 });
  const first = createStream('a', 'a', '2001:db8:1:2::1');
  register.add(first);
  assert.deepEqual(register.add(createStream('b', 'b', '2001:db8:1:2:ffff::9')), [first]);
  assert.deepEqual(register.add(createStream('c', 'c', '2001:db8:1:3::1')), []);
});

function createStream(userId: string, client: string, address = '203.0.113.5') {
  return { userId, client, address };
}

test('a stream above the limit evicts the user’s oldest one, whose client is rejected once (A29)', async (t) => {
  const api = await startTestApi({ env: { STREAMS_PER_USER: '2' } });
  t.after(() => api.close());
  const tokens = await Promise.all([1, 2, 3].map(() => api.sessions.issue('courant:stream', api.author.id)));
  const [first, second] = [await openStream(api.url, tokens[0] ?? ''), await openStream(api.url, tokens[1] ?? '')];
  const other = await api.createAuthor('another-user');
  const theirs = await openStream(api.url, await api.sessions.issue('courant:stream', other.id));
  const third = await openStream(api.url, tokens[2] ?? '');
  await first.ended;
  const back = await openStream(api.url, tokens[0] ?? '', { 'last-event-id': first.lastEventId() ?? '' });
  assert.equal(back.status, 204);
  // One eviction rejects one request, so that the user can open another tab.
  const again = await openStream(api.url, tokens[0] ?? '', { 'last-event-id': '0' });
  assert.equal(again.status, 200);
  await second.ended;
  await eventually('the head of each stream', async () =>
    [theirs, third, again].every((stream) => stream.raw().includes('retry:')),
  );
  for (const stream of [theirs, third, again]) stream.close();
});

test('the limit of a network counts the streams of all its users (A29)', async (t) => {
  const api = await startTestApi({ env: { STREAMS_PER_ADDRESS: '2' } });
  t.after(() => api.close());
  const authors = await Promise.all(['net-a', 'net-b', 'net-c'].map((name) => api.createAuthor(name)));
  const streams = [];
  for (const { id } of authors) streams.push(await openStream(api.url, await api.sessions.issue('courant:stream', id)));
  await streams[0]?.ended;
  assert.equal(streams[2]?.status, 200);
  for (const stream of streams) stream.close();
});

test('a stream disables proxy buffering, and its pages can send Last-Event-ID', async (t) => {
  const api = await startTestApi({ env: { API_URL: 'https://api.example.org' } });
  t.after(() => api.close());
  const token = await api.sessions.issue('courant:stream', api.author.id);
  const origin = api.url.replace('127.0.0.1', 'localhost');
  const abort = new AbortController();
  const response = await fetch(`${api.url}/notifications/stream?token=${token}`, {
    headers: { origin },
    signal: abort.signal,
  });
  assert.equal(response.headers.get('x-accel-buffering'), 'no');
  assert.equal(response.headers.get('access-control-allow-origin'), origin);
  assert.match(response.headers.get('vary') ?? '', /\bOrigin\b/);
  abort.abort();
  const foreign = await fetch(`${api.url}/notifications/sse-token`, { headers: { origin: 'https://evil.example' } });
  assert.equal(foreign.headers.get('access-control-allow-origin'), null);
  for (const path of ['sse-token', 'stream']) {
    const preflight = await fetch(`${api.url}/notifications/${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), origin);
    const allowed = ['headers', 'methods'].map((name) => preflight.headers.get(`access-control-allow-${name}`));
    assert.deepEqual(allowed, ['authorization, last-event-id', 'GET']);
    assert.equal(preflight.headers.get('access-control-max-age'), '7200');
  }
});

test('with an unreachable database, opening a stream is a 503 with a retry time', async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const proxy = await startTcpProxy({ port: Number(new URL(database.url).port) });
  const throughProxy = new URL(database.url);
  throughProxy.port = String(proxy.port);
  const api = await startTestApi({ databaseUrl: throughProxy.href });
  t.after(() => api.close());
  const token = await api.sessions.issue('courant:stream', api.author.id);
  await proxy.close();
  const headers = { accept: 'text/event-stream' };
  const response = await fetch(`${api.url}/notifications/stream?token=${token}`, { headers });
  assert.equal(response.status, 503);
  assert.ok(Number(response.headers.get('retry-after')) > 0);
  assert.equal(((await response.json()) as { code: string }).code, 'database_unavailable');
});

test('a stream that is being opened does not delay the shutdown of the API', async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const api = await startTestApi({ databaseUrl: database.url });
  const token = await api.sessions.issue('courant:stream', api.author.id);
  // The opening waits for the lock while the API ends its streams.
  const locker = await api.db.connection().execute(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw('begin'));
    await connection.executeQuery(CompiledQuery.raw('lock table notification_counters in access exclusive mode'));
    const opening = new Promise<void>((resolve) => {
      const request = sendRequest(`${api.url}/notifications/stream?token=${token}`, (response) => {
        response.resume().on('close', resolve);
      });
      request.on('error', () => resolve()).end();
    });
    await eventually('the opening to wait', async () => {
      const { rows } = await connection.executeQuery(
        CompiledQuery.raw(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      );
      return rows.length > 0;
    });
    const closing = api.close();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await connection.executeQuery(CompiledQuery.raw('rollback'));
    return { opening, closing };
  });
  await locker.opening;
  await locker.closing;
});

test('desk and notification streams share a limit, and an evicted desk stream ends with an event (A29)', async (t) => {
  const small = await startTestApi({ env: { STREAMS_PER_USER: '2' }, temporal: '127.0.0.1:1' });
  t.after(() => small.close());
  const { cookie } = await visitDesk(small, small.author.id);
  const first = await openDeskStream(small.url, cookie);
  const second = await openStream(small.url, await small.sessions.issue('courant:stream', small.author.id));
  const third = await openDeskStream(small.url, cookie);
  await first.ended;
  assert.equal(first.events.at(-1)?.event, 'evicted');
  for (const one of [second, third]) one.close();
});
