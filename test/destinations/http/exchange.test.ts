/** One HTTP exchange: the request, the response, and the result of each ending. */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type Exchange, exchange, type HttpRequest, type HttpResponse } from '../../../destinations/http/exchange.ts';
import { startServer } from '../destination-harness.ts';

const CONTEXT = { timeoutMs: 2000, addresses: { allowPrivate: true } };

function expectAnswer(ended: Exchange): HttpResponse {
  assert.ok(ended.kind === 'answer', JSON.stringify(ended));
  return ended;
}

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Sends to a server that accepts everything, and returns the request that arrived. */
async function recordRequest(context: TestContext, request: Omit<HttpRequest, 'url'>): Promise<Received> {
  const arrived: Received[] = [];
  const origin = await startServer(context, (incoming, response) => {
    void buffer(incoming).then((bytes) => {
      arrived.push({ method: incoming.method, url: incoming.url, headers: incoming.headers, bytes });
      response.writeHead(204).end();
    });
  });
  expectAnswer(await exchange({ ...request, url: `${origin}/posts/1?a=b#top` }, CONTEXT));
  const [only] = arrived;
  assert.ok(only && arrived.length === 1);
  return only;
}

test('a request has its method, its path without the fragment, and a user agent', async (context) => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const) {
    const arrived = await recordRequest(context, { method });
    assert.deepEqual([arrived.method, arrived.url, arrived.bytes.length], [method, '/posts/1?a=b', 0]);
    assert.match(arrived.headers['user-agent'] ?? '', /^Courant\//);
    assert.equal(arrived.headers['accept-encoding'], 'identity');
    assert.equal(arrived.headers['content-type'], undefined);
  }
});

test('a body is sent as JSON, and bytes are sent unchanged with the caller’s content type', async (context) => {
  const json = await recordRequest(context, { method: 'POST', body: { title: 'Grüße' } });
  assert.deepEqual([json.headers['content-type'], json.bytes.toString()], ['application/json', '{"title":"Grüße"}']);
  const picture = Buffer.from([0xff, 0xd8, 0x00, 0x0a, 0xff]);
  const headers = { 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename="x.jpg"' };
  const raw = await recordRequest(context, { method: 'POST', bytes: picture, headers });
  assert.deepEqual([raw.bytes, raw.headers['content-type']], [picture, 'image/jpeg']);
  assert.equal(raw.headers['content-length'], '5');
  assert.equal(raw.headers['content-disposition'], headers['content-disposition']);
});

test('a response has its bytes, and is parsed if it is JSON', async (context) => {
  const cases: [Buffer, unknown][] = [
    [Buffer.from('{"id":1}'), { id: 1 }],
    [Buffer.from('<h1>Bad Gateway</h1>'), undefined],
    [Buffer.from([0x00, 0xff, 0xfe]), undefined],
    [Buffer.alloc(0), undefined],
  ];
  for (const [body, json] of cases) {
    const origin = await startServer(context, (_request, response) => response.end(body));
    const answer = expectAnswer(await exchange({ method: 'GET', url: origin }, CONTEXT));
    assert.deepEqual([Buffer.from(answer.bytes), answer.json], [body, json]);
  }
});

test('header names are in lower case, and of a repeated header the first value counts', async (context) => {
  const origin = await startServer(context, (_request, response) => {
    response.setHeader('X-RestLi-Id', ['urn:li:share:1', 'urn:li:share:2']);
    response.setHeader('Link', '</wp-json/>; rel="https://api.w.org/"');
    response.writeHead(201).end();
  });
  const { status, headers } = expectAnswer(await exchange({ method: 'HEAD', url: origin }, CONTEXT));
  assert.deepEqual([status, headers['x-restli-id']], [201, 'urn:li:share:1']);
  assert.match(headers.link ?? '', /wp-json/);
});

test('the response to a HEAD ends with its headers, whatever length they state', async (context) => {
  const origin = await startServer(context, (_request, response) =>
    response.writeHead(200, { 'content-length': '999999999' }).end(),
  );
  const answer = expectAnswer(await exchange({ method: 'HEAD', url: origin }, CONTEXT));
  assert.deepEqual([answer.status, answer.bytes.length, answer.json], [200, 0, undefined]);
});

test('a redirect is reported with its target and not followed (A9)', async (context) => {
  let followed = 0;
  const target = await startServer(context, (_request, response) => {
    followed += 1;
    response.end();
  });
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [`${target}/x`, '/relative', 'nonsense://', null]) {
      const origin = await startServer(context, (_request, response) =>
        response.writeHead(status, location === null ? {} : { location }).end('moved'),
      );
      const ended = await exchange({ method: 'POST', url: origin, body: {} }, CONTEXT);
      assert.deepEqual(ended, { kind: 'redirect', status, location });
    }
  }
  assert.equal(followed, 0);
});

test('an endless body of a redirect is not awaited', async (context) => {
  const origin = await startServer(context, (_request, response) => {
    response.writeHead(302, { location: '/' });
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', pour);
    pour();
  });
  assert.equal((await exchange({ method: 'GET', url: origin }, CONTEXT)).kind, 'redirect');
});

test('a response may fill its limit, and one byte more is too large (F23)', async (context) => {
  const origin = await startServer(context, (_request, response) => response.end('x'.repeat(1000)));
  const request = { method: 'GET', url: origin } as const;
  assert.equal(expectAnswer(await exchange({ ...request, maxBytes: 1000 }, CONTEXT)).bytes.length, 1000);
  assert.equal((await exchange({ ...request, maxBytes: 999 }, CONTEXT)).kind, 'tooLarge');
});

test('the default limit of a response is a mebibyte (F23)', async (context) => {
  let bytes = 1024 * 1024;
  const origin = await startServer(context, (_request, response) => response.end(Buffer.alloc(bytes)));
  assert.equal(expectAnswer(await exchange({ method: 'GET', url: origin }, CONTEXT)).bytes.length, bytes);
  bytes += 1;
  assert.equal((await exchange({ method: 'GET', url: origin }, CONTEXT)).kind, 'tooLarge');
});

test('a header that cannot be sent is a damaged credential, and nothing is sent', async (context) => {
  let called = 0;
  const origin = await startServer(context, (_request, response) => {
    called += 1;
    response.end();
  });
  for (const value of ['a\r\nx: y', 'a\nb', 'grüße', 'a\u0000b', '\u007f']) {
    const ended = await exchange({ method: 'GET', url: origin, headers: { authorization: value } }, CONTEXT);
    assert.equal(ended.kind, 'damagedCredential', JSON.stringify(value));
  }
  assert.equal(called, 0);
});

test('a time-out and a cancelled call have different reasons', async (context) => {
  const silent = await startServer(context, () => undefined);
  const request = { method: 'POST', url: silent, body: {} } as const;
  assert.deepEqual(await exchange(request, { ...CONTEXT, timeoutMs: 100 }), {
    kind: 'lost',
    cause: 'it did not respond in time',
  });
  const ended = await exchange(request, { ...CONTEXT, signal: AbortSignal.timeout(100) });
  assert.deepEqual(ended, { kind: 'lost', cause: 'the call was cancelled' });
  const before = await exchange(request, { ...CONTEXT, signal: AbortSignal.abort() });
  assert.deepEqual(before, { kind: 'neverSent', cause: 'the call was cancelled' });
});
