/** Tests the properties of every response: security headers, and 405 for an unsupported method. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { formatImageName } from '../../../article/images/image-name.ts';
import { createFileImages } from '../../../store/images/files/file-images.ts';
import { PICTURES, PNG_NAME } from '../../store/images/files/pictures.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const sendRequest = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}${path}`, { method, headers, redirect: 'manual' });

test('every response forbids sniffing and framing and has a content security policy; errors are no-store (A51, A53, A62)', async () => {
  const { body } = await api.publish({ content: '# A page\n\nA text.' });
  await createFileImages(join(api.home, 'images')).put(PNG_NAME, PICTURES.png);
  const token = await api.sessions.issue('courant:stream', api.author.id);
  const requests: [string, string][] = [
    ['GET', '/'],
    ['GET', `/${body.data?.slug}`],
    ['GET', '/nothing-here'],
    ['GET', '/%E0%A4%A'],
    ['GET', `/${'x'.repeat(2_000)}`],
    ['GET', '/authors/nobody'],
    ['GET', '/about'],
    ['GET', '/roundup'],
    ['GET', '/feed.xml'],
    ['GET', '/feed.json'],
    ['GET', '/authors/nobody/atom.xml'],
    ['GET', '/tags/nothing'],
    ['GET', '/series/nothing'],
    ['GET', '/sitemap.xml'],
    ['GET', '/sitemap-pages.xml'],
    ['GET', '/robots.txt'],
    ['GET', '/digest/unsubscribe?token=x'],
    ['GET', `/api/geo/posts/${body.data?.slug}`],
    ['GET', '/api/geo/changes'],
    ['GET', '/api/geo/changes?since=x'],
    ['GET', '/api/v1/openapi.json'],
    ['GET', '/api/nothing'],
    ['POST', '/api/v1/articles'],
    ['DELETE', '/api/v1/articles'],
    ['GET', '/api/v1/articles?q=page'],
    ['GET', `/api/v1/articles/${body.data?.slug}`],
    ['POST', '/mcp'],
    ['POST', '/graphql'],
    ['GET', '/notifications/sse-token'],
    ['GET', '/notifications/stream'],
    ['GET', `/notifications/stream?token=${token}`],
    ['GET', '/health/live'],
    ['GET', '/.well-known/jwks.json'],
    ['GET', '/.well-known/api-catalog'],
    ['GET', '/mcp/server-card'],
    ['GET', '/llms.txt'],
    ['GET', '/llms-full.txt'],
    ['GET', '/index.md'],
    ['GET', `/${body.data?.slug}.md`],
    ['GET', '/login'],
    ['GET', '/register'],
    ['GET', '/account/forgot-password'],
    ['GET', '/account/viewer'],
    ['GET', '/archive'],
    ['GET', '/search?q=page'],
    ['GET', '/desk'],
    ['POST', '/desk/write'],
    ['GET', `/images/${formatImageName(PNG_NAME)}`],
    // Absent now, and perhaps present a moment later.
    ['GET', `/images/${formatImageName({ ...PNG_NAME, hash: 'f'.repeat(64) })}`],
    ['GET', '/articles/not-published-yet/comments'],
    ['GET', '/articles/not-published-yet/viewer'],
    ['GET', '/people/nobody/viewer'],
    ['GET', '/archive?after=x'],
    ['GET', '/search?q=page&after=x'],
    ['GET', '/cards/nothing.png'],
    ['GET', '/two/segments'],
  ];
  for (const [method, path] of requests) {
    const response = await sendRequest(method, path);
    await response.body?.cancel();
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff', `${method} ${path}`);
    assert.match(policy, /default-src 'none'/, `${method} ${path}`);
    assert.match(policy, /frame-ancestors 'none'/, `${method} ${path}`);
    assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*(\*|unsafe-inline)/, `${method} ${path}`);
    if (response.status >= 400) assert.equal(response.headers.get('cache-control'), 'no-store', `${method} ${path}`);
  }
});

test('bytes that are not HTTP get an error with the same headers', async () => {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.end('NONSENSE\r\n\r\n');
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.match(answer, /x-content-type-options: nosniff\r\n/);
  assert.match(answer, /content-security-policy: default-src 'none'/);
});

test('an unsupported method at a known address gives 405 with Allow', async () => {
  for (const [method, path, allow] of [
    ['PUT', '/api/v1/articles', 'GET, HEAD, OPTIONS, POST'],
    ['QUERY', '/api/v1/articles', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/api/v1/articles/some-slug', 'GET, HEAD, OPTIONS'],
    ['GET', '/mcp', 'POST'],
    ['DELETE', '/mcp', 'GET, HEAD, POST'],
    ['TRACE', '/api/v1/openapi.json', 'GET, HEAD'],
    ['DELETE', '/api/v1/openapi.json', 'GET, HEAD'],
    ['PUT', '/notifications/sse-token', 'GET, HEAD, OPTIONS'],
    ['POST', '/notifications/stream', 'GET, OPTIONS'],
    ['HEAD', '/notifications/stream', 'GET, OPTIONS'],
    ['POST', '/api/geo/posts/some-slug', 'GET, HEAD'],
    ['PATCH', '/health/ready', 'GET, HEAD'],
    ['DELETE', '/digest/unsubscribe', 'GET, HEAD, POST'],
    ['GET', '/graphql', 'POST'],
  ] as const) {
    const { statusCode, headers, body } = await send(method, path);
    assert.deepEqual([statusCode, headers.allow], [405, allow], `${method} ${path}`);
    if (method !== 'HEAD') assert.equal((JSON.parse(body) as { code: string }).code, 'method_not_allowed');
  }
});

/** Uses `node:http`, because `fetch` does not send TRACE. */
async function send(method: string, path: string) {
  const sent = request(`${api.url}${path}`, { method }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { statusCode: response.statusCode, headers: response.headers, body };
}

test('an unknown address gives 404 for every method', async () => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    assert.equal((await sendRequest(method, '/api/v1/nothing')).status, 404, method);
    assert.equal((await sendRequest(method, '/api/v1/nothing/1')).status, 404, method);
  }
});
