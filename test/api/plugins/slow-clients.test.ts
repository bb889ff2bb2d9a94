/** Clients that send their request byte by byte to occupy connections. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { markdown, startTestApi } from '../../support/api/api.ts';

const SLOW_CLIENTS = 100;
const CHECK_INTERVAL_MS = 5_000;
/** Time-outs of this test; those of the product are checked first. */
const HEADERS_MS = 1_000;
const REQUEST_MS = 3_000;

test('slow headers and slow bodies time out with a 408 while other clients are served (F24)', async (t) => {
  const api = await startTestApi();
  t.after(() => api.close());
  const { server } = api.app;
  assert.deepEqual([server.headersTimeout, server.requestTimeout], [15_000, 30_000]);
  // The first publish also starts threads, which is not what the loop below measures.
  assert.equal((await api.publish({ content: markdown({ title: 'Before slow clients' }) })).status, 201);
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;

  const post = `POST /api/v1/articles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.author.token}\r\n`;
  const body = 'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"content":"';
  const connections = Array.from({ length: SLOW_CLIENTS }, (_, n) => {
    const isHeaders = n % 2 === 0;
    return { isHeaders, ...sendSlowly(new URL(api.url), isHeaders ? `${post}X-Slow: ` : `${post}${body}`) };
  });
  t.after(() => {
    for (const { close } of connections) close();
  });

  let open = SLOW_CLIENTS;
  const allClosed = Promise.all(connections.map(({ closed }) => closed.finally(() => open--)));
  let served = 0;
  while (open > 0) {
    const startedAt = performance.now();
    const { status } = await api.publish({ content: markdown({ title: `Beside slow clients ${++served}` }) });
    assert.equal(status, 201);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < HEADERS_MS + REQUEST_MS, `a publish took ${tookMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  for (const { isHeaders, afterMs, answer } of await allClosed.then(() => Promise.all(connections.map(describe)))) {
    const limitMs = isHeaders ? HEADERS_MS : REQUEST_MS;
    // 5 s of tolerance for a busy machine.
    assert.ok(afterMs >= limitMs - 100 && afterMs < limitMs + CHECK_INTERVAL_MS + 5_000, `${afterMs} ms`);
    assert.match(answer, /^HTTP\/1\.1 408 /);
    assert.match(answer, /request_timeout/);
  }
  assert.ok(served > 1, 'others were served meanwhile');
});

type SlowClient = ReturnType<typeof sendSlowly> & { isHeaders: boolean };

async function describe({ isHeaders, closed }: SlowClient) {
  return { isHeaders, ...(await closed) };
}

/** Sends `beginning`, then a byte every 200 ms, until the server closes the connection. */
function sendSlowly({ hostname, port }: URL, beginning: string) {
  const socket = connect(Number(port), hostname);
  let answer = '';
  let started = 0;
  let timer: NodeJS.Timeout | undefined;
  socket.on('connect', () => {
    started = performance.now();
    socket.write(beginning);
    timer = setInterval(() => socket.write('x'), 200);
  });
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
  });
  // A byte sent after the end causes a reset.
  socket.on('error', () => undefined);
  const closed = new Promise<{ afterMs: number; answer: string }>((resolve) => {
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ afterMs: performance.now() - started, answer });
    });
  });
  return { closed, close: () => socket.destroy() };
}
