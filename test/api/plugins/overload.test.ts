/** An overloaded process rejects some requests at once, stays alive, and recovers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { MAX_DATABASE_CONNECTIONS } from '../../../runtime/config/database.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

/**
 * One turn of the event loop under the load below. The limit is far below it, and far above the
 * delay of an idle slow machine.
 */
const TURN_MS = 450;
const LIMIT_MS = 200;
/** Even a slow machine responds to a burst in less time. */
const DATABASE_WAIT_MS = 1_000;
/** Between two requests of one client of the crowd: rejections are immediate. */
const PAUSE_MS = 500;
const TIMEOUT = { withinMs: 60_000 };
/** Blocks the thread without using the processor. */
const BLOCKED = new Int32Array(new SharedArrayBuffer(4));

let api: TestApi;
let isBusy = false;
before(async () => {
  api = await startTestApi({ env: { MAX_EVENT_LOOP_DELAY_MS: String(LIMIT_MS) } });
});
after(async () => {
  isBusy = false;
  await api.close();
});

/** Simulates many requests: long work between any two turns of the event loop. */
async function keepBusy(): Promise<void> {
  isBusy = true;
  while (isBusy) {
    Atomics.wait(BLOCKED, 0, 0, TURN_MS);
    await nextTurn();
  }
}

const get = (path: string, accept = 'application/json', { url } = api) =>
  fetch(`${url}${path}`, { headers: { accept } });

test('a request rejected for overload gets Retry-After and succeeds once the load is gone', async (t) => {
  t.after(() => {
    isBusy = false;
  });
  const working = keepBusy();
  const refused = await eventually(
    'a refusal',
    async () => {
      const answer = await api.publish({ content: markdown({ title: 'Too much', published: true }) });
      return answer.body.code === 'overloaded' && answer;
    },
    TIMEOUT,
  );
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '2');
  assert.equal(refused.headers.get('content-type'), 'application/problem+json; charset=utf-8');
  const page = await eventually(
    'a refused page',
    async () => {
      const answer = await get('/nothing-is-here', 'text/html');
      return answer.status === 503 && answer;
    },
    TIMEOUT,
  );
  assert.equal(page.status, 503);
  assert.equal(page.headers.get('retry-after'), '2');

  // The process is busy, not dead. Reconnecting streams are not rejected.
  assert.equal((await get('/health/live')).status, 200);
  assert.doesNotMatch(await (await get('/health/ready')).text(), /overloaded/);
  assert.notEqual((await get('/notifications/stream', 'text/event-stream')).status, 503);

  isBusy = false;
  await working;
  await eventually(
    'room for a publish',
    async () => (await api.publish({ content: markdown({ title: 'Too much', published: true }) })).status < 300,
    TIMEOUT,
  );
});

test('while all requests wait for the database, new ones are rejected at once; a burst is not rejected', async (t) => {
  const api = await startTestApi({ env: { MAX_DATABASE_WAIT_MS: String(DATABASE_WAIT_MS) } });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const holding = Array.from({ length: MAX_DATABASE_CONNECTIONS.api }, () => api.db.connection().execute(() => held));
  let isOver = false;
  const stop = () => {
    isOver = true;
    release();
  };
  t.after(async () => {
    stop();
    await api.close();
  });
  let requestCount = 0;
  const sendRequest = () => get(`/nothing-${requestCount++}`, 'application/json', api);
  const requestRepeatedly = async () => {
    while (!isOver) {
      await (await sendRequest()).text();
      await sleep(PAUSE_MS);
    }
  };
  const crowd = Array.from({ length: 3 * MAX_DATABASE_CONNECTIONS.api }, requestRepeatedly);
  const refused = await eventually(
    'a refusal',
    async () => {
      // Not together with the crowd, whose waits all end at the same time.
      await sleep(2 * DATABASE_WAIT_MS);
      const answer = await api.publish({ content: markdown({ title: 'Too many', published: true }) });
      return answer.body.code === 'overloaded' && answer;
    },
    TIMEOUT,
  );
  assert.equal(refused.headers.get('retry-after'), '2');
  assert.equal((await get('/health/live', 'application/json', api)).status, 200);
  stop();
  await Promise.all([...holding, ...crowd]);
  const burst = Array.from({ length: 3 * MAX_DATABASE_CONNECTIONS.api }, sendRequest);
  for (const answer of await Promise.all(burst)) assert.equal(answer.status, 404);
  const accepted = await api.publish({ content: markdown({ title: 'Too many', published: true }) });
  assert.equal(accepted.status, 201, JSON.stringify(accepted.body));
});

test('a well-formed request id of the client is used, any other is replaced', async () => {
  const sendRequest = async (id: string) => {
    const response = await fetch(`${api.url}/api/v1/no-such-route`, { headers: { 'x-request-id': id } });
    const { requestId } = (await response.json()) as { requestId: string };
    assert.equal(response.headers.get('x-request-id'), requestId);
    return requestId;
  };
  assert.equal(await sendRequest('0d3f:trace.of-a_proxy'), '0d3f:trace.of-a_proxy');
  for (const odd of ['short', 'a'.repeat(65), '{"level":60}', 'two words of it', '<script>alert(1)</script>']) {
    assert.match(await sendRequest(odd), /^[\da-f-]{36}$/);
  }
});
