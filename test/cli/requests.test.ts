/** Requests of the command line: retries, waits, limits, and the reasons why no response arrived. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { parseEndpoint } from '../../cli/server/endpoint.ts';
import { GraphqlRejection, postGraphql } from '../../cli/server/graphql.ts';
import { NetworkError, postJson } from '../../cli/server/http.ts';
import { postWithRetries, sleep } from '../../cli/server/retry.ts';
import { readExpiry } from '../../cli/server/session-tokens.ts';
import { VERSION } from '../../cli/version.ts';
import { findFreePort } from '../../scripts/start/ports.ts';

const { signal } = new AbortController();

async function startServer(t: TestContext, handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a wait lasts as long as it is, and ends with the reason of an abort', async () => {
  const started = performance.now();
  await sleep(300, signal);
  assert.ok(performance.now() - started > 290);
  const reason = new Error('enough');
  await assert.rejects(sleep(60_000, AbortSignal.abort(reason)), reason);
});

test('a retry begins after its wait, which is announced; the waits double', async (t) => {
  const arrivals: number[] = [];
  const url = await startServer(t, (_request, response) => {
    arrivals.push(performance.now());
    response.writeHead(503).end();
  });
  const sentences: string[] = [];
  const request = { url, headers: {}, body: {}, signal };
  const response = await postWithRetries(request, { onWait: (sentence) => sentences.push(sentence), lastTryMs: 2_300 });
  assert.equal(response.status, 503);
  // The third wait would end too late.
  assert.equal(arrivals.length, 3);
  const waits = sentences.map((sentence) => /^The server returned 503\. Retrying in ([\d.]+) s\.$/.exec(sentence)?.[1]);
  for (const [index, limits] of [
    [0.3, 0.7],
    [0.7, 1.3],
  ].entries()) {
    const wait = Number(waits[index]);
    const passed = ((arrivals[index + 1] ?? 0) - (arrivals[index] ?? 0)) / 1_000;
    assert.ok(wait >= (limits[0] ?? 0) && wait <= (limits[1] ?? 0), sentences.join());
    assert.ok(passed > wait - 0.06, `${passed} s`);
  }
});

test('a wait of more than a minute is not begun', async (t) => {
  let requests = 0;
  const url = await startServer(t, (_request, response) => {
    requests += 1;
    response.writeHead(429, { 'retry-after': '61' }).end();
  });
  const onWait = () => assert.fail('it waits');
  assert.equal((await postWithRetries({ url, headers: {}, body: {}, signal }, { onWait })).status, 429);
  assert.equal(requests, 1);
});

test('the rate limit is waited for three times', async (t) => {
  let requests = 0;
  const url = await startServer(t, (_request, response) => {
    requests += 1;
    response.writeHead(429, { 'retry-after': '0' }).end();
  });
  const sentences: string[] = [];
  await postWithRetries({ url, headers: {}, body: {}, signal }, { onWait: (sentence) => sentences.push(sentence) });
  assert.equal(requests, 4);
  assert.deepEqual(sentences, Array(3).fill('This token has reached its rate limit (429). Retrying in 0 s.'));
});

test('a request is JSON with the version of the program', async (t) => {
  const seen: unknown[] = [];
  const url = await startServer(t, (request, response) => {
    const { 'content-type': type, 'user-agent': agent, accept } = request.headers;
    seen.push([request.method, type, agent, accept]);
    response.writeHead(302, { location: '/elsewhere' }).end('moved');
  });
  const response = await postJson({ url, headers: { accept: 'x/y' }, body: {}, signal });
  assert.deepEqual([response.status, response.statusText, response.text], [302, 'Found', 'moved']);
  assert.deepEqual(seen, [['POST', 'application/json', `courant-cli/${VERSION}`, 'x/y']]);
});

test('a response may have one mebibyte', async (t) => {
  let bytes = 1024 * 1024;
  const url = await startServer(t, (_request, response) => response.end('x'.repeat(bytes)));
  assert.equal((await postJson({ url, headers: {}, body: {}, signal })).text.length, bytes);
  bytes += 1;
  await assert.rejects(postJson({ url, headers: {}, body: {}, signal }), {
    message: `${url} returned more than 1 MiB, so it is not a Courant server.`,
    retriable: false,
  });
});

test('a request without a response fails with the reason, and is retried only if that may help', async (t) => {
  const fail = async (url: string) => {
    const error = await postJson({ url, headers: {}, body: {}, signal }).catch((reason: unknown) => reason);
    assert.ok(error instanceof NetworkError);
    return [error.message, error.retriable];
  };
  const dropping = await startServer(t, (request) => void request.socket.destroy());
  assert.deepEqual(await fail(dropping), [
    `The connection to ${dropping} closed before a response arrived (UND_ERR_SOCKET).`,
    true,
  ]);
  const plain = (await startServer(t, (_request, response) => response.end())).replace('http:', 'https:');
  const [message, isRetriable] = await fail(plain);
  assert.match(String(message), new RegExp(`^The request to ${plain} failed: .+ \\(ERR_SSL\\w+\\)\\.$`, 's'));
  assert.equal(isRetriable, false);
  const closed = `http://127.0.0.1:${await findFreePort()}`;
  assert.deepEqual(await fail(closed), [`Cannot connect to ${closed} (ECONNREFUSED). Is the server running?`, true]);
  assert.deepEqual(await fail('http://127.0.0.1:1'), ['The request to http://127.0.0.1:1 failed: bad port.', false]);
});

test('GraphQL answers are data, a rejection with its code, or a failure', async (t) => {
  let answer = { status: 200, body: '{}' };
  const seen: unknown[] = [];
  const origin = await startServer(t, (request, response) => {
    seen.push([request.headers.accept, request.headers.authorization]);
    response.writeHead(answer.status, { 'content-type': 'text/html; charset=utf-8' }).end(answer.body);
  });
  const server = { endpoint: parseEndpoint(origin, 'x'), allowHttp: false, signal, onWait: () => undefined };
  const post = async (status: number, body: unknown) => {
    answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
    const request = { ...server, accessToken: 't', query: 'mutation { x }', variables: {} };
    return postGraphql(request).catch((error: unknown) => error as Error);
  };
  assert.deepEqual(await post(200, { data: { a: 1 } }), { a: 1 });
  assert.deepEqual(seen, [['application/json', 'Bearer t']]);
  const rejections: [number, unknown, string, string | undefined][] = [
    [401, { detail: 'Ended.' }, 'Ended.', 'UNAUTHENTICATED'],
    [401, {}, 'The session has ended.', 'UNAUTHENTICATED'],
    [
      200,
      { errors: [{ message: 'No', extensions: { code: 'FORBIDDEN' } }, { message: 'Never!' }] },
      'No. Never!',
      'FORBIDDEN',
    ],
    [499, { errors: [{}] }, 'The server rejected the request without a reason.', undefined],
  ];
  for (const [status, body, message, code] of rejections) {
    const error = await post(status, body);
    assert.ok(error instanceof GraphqlRejection, message);
    assert.deepEqual([error.message, error.code, error.exitCode], [message, code, 1]);
  }
  const foreign = `${origin}/graphql returned 200 (text/html), which is not a response of a Courant server.`;
  for (const body of ['<h1>', { data: null }, { errors: [] }]) {
    const error = (await post(200, body)) as Error & { details: { hints: string[]; server: unknown } };
    assert.equal(error.message, foreign);
    assert.deepEqual(error.details.hints, ['Is the endpoint correct? See --endpoint and "courant whoami".']);
    assert.deepEqual(error.details.server, { status: 200 });
  }
  const failures = [
    await post(500, { errors: [{ message: 'No' }] }),
    await post(401, '<h1>'),
    await post(300, { data: {} }),
  ];
  for (const failure of failures) {
    assert.ok(!(failure instanceof GraphqlRejection));
    assert.match((failure as Error).message, /^The server returned (500|401|300)/);
  }
});

test('the expiry of a token is read from its claims', () => {
  const token = (claims: unknown) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  assert.equal(readExpiry(token({ exp: 1 }))?.getTime(), 1_000);
  for (const text of [token({ exp: '1' }), token([]), token({}), 'x', 'x.!.x', ''])
    assert.equal(readExpiry(text), null);
});
