/** A process that has more to do than it can refuses some of it at once, stays alive, and takes requests again when there is room. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { DATABASE_CONNECTIONS } from '../../../config/database.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

/** A turn of the event loop takes that long under the load below; the limit is far below it, and far above what a slow machine makes of no load. */
const TURN_MS = 700;
const LIMIT_MS = 300;
/** Even a slow machine responds to a burst in less time. */
const DATABASE_WAIT_MS = 1_500;
const PATIENCE = { withinMs: 60_000 };

let api: TestApi;
let isBusy = false;
before(async () => {
  api = await startTestApi({ env: { MAX_EVENT_LOOP_DELAY_MS: String(LIMIT_MS) } });
});
after(async () => {
  isBusy = false;
  await api.close();
});

/** What a crowd of requests does to a process: between any two turns there is work for a long time. */
async function keepBusy(): Promise<void> {
  isBusy = true;
  while (isBusy) {
    const end = performance.now() + TURN_MS;
    while (performance.now() < end);
    await nextTurn();
  }
}

const get = (path: string, accept = 'application/json', { url } = api) =>
  fetch(`${url}${path}`, { headers: { accept } });

test('what an overloaded process refuses is told when to come again, and is taken then', async () => {
  const working = keepBusy();
  const refused = await eventually(
    'a refusal',
    async () => {
      const answer = await api.publish({ content: markdown({ title: 'Too much', published: true }) });
      return answer.body.code === 'overloaded' && answer;
    },
    PATIENCE,
  );
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '2');
  assert.equal(refused.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  const page = await get('/nothing-is-here', 'text/html');
  assert.equal(page.status, 503);
  assert.equal(page.headers.get('retry-after'), '2');

  // It is busy, and not dead; and whoever comes back to a stream is not sent away.
  assert.equal((await get('/health/live')).status, 200);
  assert.doesNotMatch(await (await get('/health/ready')).text(), /overloaded/);
  assert.notEqual((await get('/notifications/stream', 'text/event-stream')).status, 503);

  isBusy = false;
  await working;
  await eventually(
    'room for a publish',
    async () => (await api.publish({ content: markdown({ title: 'Too much', published: true }) })).status < 300,
    PATIENCE,
  );
});

test('where all wait for the database, the next is refused at once; a burst is not, and there is room again when it is done', async (t) => {
  const api = await startTestApi({ env: { MAX_DATABASE_WAIT_MS: String(DATABASE_WAIT_MS) } });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const holding = Array.from({ length: DATABASE_CONNECTIONS.api }, () => api.db.connection().execute(() => held));
  let isOver = false;
  const stop = () => {
    isOver = true;
    release();
  };
  t.after(async () => {
    stop();
    await api.close();
  });
  let asked = 0;
  const ask = () => get(`/nothing-${asked++}`, 'application/json', api);
  const waitAgainAndAgain = async () => {
    while (!isOver) await (await ask()).text();
  };
  const crowd = Array.from({ length: 3 * DATABASE_CONNECTIONS.api }, waitAgainAndAgain);
  const refused = await eventually(
    'a refusal',
    async () => {
      // Not with the crowd, whose waits all end together.
      await sleep(2 * DATABASE_WAIT_MS);
      const answer = await api.publish({ content: markdown({ title: 'Too many', published: true }) });
      return answer.body.code === 'overloaded' && answer;
    },
    PATIENCE,
  );
  assert.equal(refused.headers.get('retry-after'), '2');
  assert.equal((await get('/health/live', 'application/json', api)).status, 200);
  stop();
  await Promise.all([...holding, ...crowd]);
  const burst = Array.from({ length: 3 * DATABASE_CONNECTIONS.api }, ask);
  for (const answer of await Promise.all(burst)) assert.equal(answer.status, 404);
  const taken = await api.publish({ content: markdown({ title: 'Too many', published: true }) });
  assert.equal(taken.status, 201, JSON.stringify(taken.body));
});

test('a request keeps the id that it was given, if that is plainly one', async () => {
  const ask = async (id: string) => {
    const response = await fetch(`${api.url}/api/v1/no-such-route`, { headers: { 'x-request-id': id } });
    const { requestId } = (await response.json()) as { requestId: string };
    assert.equal(response.headers.get('x-request-id'), requestId);
    return requestId;
  };
  assert.equal(await ask('0d3f:trace.of-a_proxy'), '0d3f:trace.of-a_proxy');
  for (const odd of ['short', 'a'.repeat(65), '{"level":60}', 'two words of it', '<script>alert(1)</script>']) {
    assert.match(await ask(odd), /^[\da-f-]{36}$/);
  }
});
