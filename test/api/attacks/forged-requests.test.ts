/** Requests with a false length, host, origin or cookie. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { hashPassword, setPassword } from '../../../store/users/passwords.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { fillRoute, listRoutes } from '../../support/api/routes.ts';
import { countQueries } from '../../support/database/count-queries.ts';
import { startProcessorWatch } from '../../support/processor-time.ts';
import { openVisitor, PASSWORD } from '../accounts/settings-support.ts';

const BASE_URL = 'https://courant.example';

let api: TestApi;
let slug: string;
before(async () => {
  api = await startTestApi({ temporal: '127.0.0.1:1', env: { BASE_URL, API_URL: BASE_URL, TRUST_PROXY: '127.0.0.2' } });
  const { body } = await api.publish({ content: markdown({ title: 'Told to everybody', tags: ['told'] }) });
  slug = body.data?.slug ?? '';
});
after(() => api.close());

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** Sends a request with any headers, from an address of this machine. */
async function sendRequest(
  path: string,
  headers: Record<string, string | string[]> = {},
  { from = '127.0.0.1', method = 'GET', body = '' } = {},
): Promise<Answer> {
  const sent = request(api.url + path, {
    method,
    headers,
    localAddress: from,
    setHost: headers.host === undefined,
  }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  // An event stream does not end.
  if (String(response.headers['content-type']).includes('event-stream')) response.destroy();
  else for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/** Returns all bytes that the server sends until it closes the connection. */
async function write(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

const SMUGGLED = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
const start = (...headers: string[]) => `POST /graphql HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`;

test('a request with an ambiguous length is refused, and bytes after it are not read as a second request (A59)', async () => {
  for (const bytes of [
    `${start('Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    `${start('Transfer-Encoding: chunked', 'Content-Length: 4')}0\r\n\r\n`,
    `${start('Content-Length: 4', 'Content-Length: 5')}abcde`,
    `${start('Content-Length: 4, 4')}abcd`,
    `${start('Content-Length: +4')}abcd`,
    `${start('Content-Length: 0x4')}abcd`,
    `${start('Transfer-Encoding: xchunked')}0\r\n\r\n`,
    `${start('Transfer-Encoding: chunked, identity')}0\r\n\r\n`,
    `${start('Transfer-Encoding : chunked', 'Content-Length: 4')}0\r\n\r\n`,
    `${start('Transfer-Encoding: chunked')}1;\n\r\nx\r\n0\r\n\r\n`,
    start('X-Folded: a', ' b'),
    'GET /health/live HTTP/1.1\nHost: x\n\n',
    'GET /health/live HTTP/1.1\r\nHost: x\rX: y\r\n\r\n',
    'GET /health/live HTTP/1.1\r\n\r\n',
  ]) {
    const answers = await write(bytes + SMUGGLED);
    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 400'], JSON.stringify(bytes));
  }
  // The body of a GET belongs to it, even if the response is cached and nothing reads the body.
  const hidden = `GET /${slug} HTTP/1.1\r\nHost: x\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`;
  const last = `GET /nothing-here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  assert.deepEqual((await write(hidden + last)).match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404']);
});

const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

test('a request with two hosts, none or an invalid one is refused, even if its response is cached (A59)', async () => {
  const get = (...lines: string[]) => head(`GET /${slug} HTTP/1.1`, ...lines);
  assert.match(await write(get('Host: x', 'Connection: close')), /^HTTP\/1\.1 200 /);
  for (const hosts of [
    ['Host: x', 'Host: y'],
    ['Host: x', 'hOST: x'],
    ['Host: x', 'Host:'],
    [],
    ['Host: x, y'],
    ['Host: x y'],
    ['Host: http://x'],
    ['Host: x/'],
    ['Host: someone@x'],
    ['Host: x:80:80'],
    ['Host: x:port'],
    ['Host: [::1'],
    ['Host: ::1'],
    ['Host: %zz'],
    ['Host: x\\y'],
    ['Host: \u00e9'],
  ]) {
    const answers = await write(`${get(...hosts) + get('Host: x')}NONSENSE\r\n`);
    const label = JSON.stringify(hosts);
    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 400'], label);
    assert.deepEqual(readProblem(answers), { status: 400, code: 'bad_host' }, label);
  }
  for (const host of ['x', 'X.example:8080', '127.0.0.1:', '[::1]:3000', 'xn--bcher-kva.example', 'a_b', '']) {
    assert.match(await write(get(`Host: ${host}`, 'Connection: close')), /^HTTP\/1\.1 200 /, host);
  }
  assert.match(await write(head(`GET /${slug} HTTP/1.0`)), /^HTTP\/1\.1 200 /, 'HTTP/1.0 had no such header');
  assert.match(await write(head(`GET /${slug} HTTP/1.0`, 'Host: x', 'Host: y')), /^HTTP\/1\.1 400 /);
});

test('an unsupported transfer coding is refused, and so is a chunked body in HTTP/1.0 (A59)', async () => {
  const piece = '0\r\n\r\n';
  const coded = await write(`${start('Transfer-Encoding: gzip, chunked')}${piece}`);
  assert.deepEqual(readProblem(coded), { status: 501, code: 'unknown_transfer_coding' });
  const old = head('POST /graphql HTTP/1.0', 'Connection: keep-alive', 'Transfer-Encoding: chunked');
  assert.deepEqual(readProblem(await write(old + piece)), { status: 400, code: 'bad_request' });
});

test('malformed requests get a problem document (A59)', async () => {
  for (const bytes of [
    `${start('Content-Length: 4', 'Content-Length: 5')}abcde`,
    `${start('Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    start('X-Folded: a', ' b'),
    start('X-Nul: a\u0000b'),
    start('X-Nul\u0000: a'),
    start('X-Return: a\rb'),
    start('X-Feed: a\nb: c'),
  ]) {
    assert.deepEqual(readProblem(await write(bytes)), { status: 400, code: 'bad_request' }, JSON.stringify(bytes));
  }
});

function readProblem(answer: string): { status: number; code: string } {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  assert.match(head, /^content-type: application\/problem\+json/im);
  assert.match(head, /^connection: close$/im);
  assert.match(head, /^x-content-type-options: nosniff$/im);
  const { status, code, requestId } = JSON.parse(body) as { status: number; code: string; requestId: string };
  assert.ok(requestId.length >= 8);
  return { status, code };
}

test('headers that are too large or too many return 431, and the next request succeeds (A59)', async () => {
  const lines = Array.from({ length: 2_000 }, (_, n) => `X-${n}: something`).join('\r\n');
  for (const bytes of [start(`X-Large: ${'x'.repeat(20_000)}`), start(lines)]) {
    assert.match(await write(bytes), /^HTTP\/1\.1 431 /);
  }
  assert.equal((await sendRequest('/health/live')).status, 200);
});

const FORGED = {
  host: 'evil.example',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'gopher',
  forwarded: 'for=1.1.1.1;host=evil.example;proto=gopher',
  'x-original-url': '//evil.example/',
  'x-rewrite-url': '//evil.example/',
  'x-forwarded-prefix': '//evil.example',
  origin: 'https://evil.example',
  referer: 'https://evil.example/',
};

test('links, redirects and descriptions use the configured address for any requested host (A58)', async () => {
  const cookie = `__Host-courant_session=${await api.sessions.issue('courant:cookie', api.author.id)}`;
  const named: Record<string, string> = {
    slug,
    username: api.author.username,
    destination: 'blogsite_a',
    name: 'told',
  };
  let links = 0;
  for (const route of listRoutes(api).filter(({ method }) => method === 'GET')) {
    const path = fillRoute(route, (name) =>
      route.pattern.startsWith('/authors') ? api.author.username : (named[name] ?? 'x'),
    );
    for (const from of ['127.0.0.1', '127.0.0.2']) {
      const { headers, text } = await sendRequest(path, { ...FORGED, cookie }, { from });
      const answer = JSON.stringify(headers) + text;
      assert.doesNotMatch(answer, /evil\.example|gopher/, `${path} from ${from}`);
      links += answer.includes(BASE_URL) ? 1 : 0;
    }
  }
  assert.ok(links > 30, `${links} answers with links`);
});

test('no requested address redirects to another site (A55)', async () => {
  for (const path of [
    '//evil.example',
    '//evil.example/desk',
    '/\\evil.example/desk',
    '/desk/..//evil.example',
    '/.//evil.example',
    '/tags/%2F%2Fevil.example',
    '/%5c%5cevil.example',
  ]) {
    const { status, headers } = await sendRequest(path);
    const { location } = headers;
    if (location !== undefined) assert.equal(new URL(location, BASE_URL).origin, BASE_URL, `${path}: ${status}`);
  }
  for (const next of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/.//evil.example',
    '/%09/evil.example',
    '\t//evil.example',
  ]) {
    const visitor = await sendRequest(`/login?next=${encodeURIComponent(next)}`);
    assert.doesNotMatch(visitor.text, /(?:href|action|value)="(?:https?:)?[/\\]{2}evil/, next);
  }
});

test('a client’s address is its socket’s or the last one of a trusted proxy, never one that the client sent (A14)', async () => {
  const readRemaining = async (from: string, forwarded: string | string[]) =>
    Number(
      (await sendRequest('/mcp', { 'x-forwarded-for': forwarded, accept: '*/*' }, { from, method: 'POST' })).headers[
        'ratelimit-remaining'
      ],
    );
  // Not from the proxy: one count, whatever the header contains.
  const first = await readRemaining('127.0.0.1', '198.51.100.1');
  assert.equal(await readRemaining('127.0.0.1', '198.51.100.2'), first - 1);
  assert.equal(await readRemaining('127.0.0.1', '127.0.0.2'), first - 2);
  // From the proxy: only the last entry counts, which the proxy wrote.
  const through = await readRemaining('127.0.0.2', '203.0.113.7');
  assert.equal(await readRemaining('127.0.0.2', '198.51.100.3, 203.0.113.7'), through - 1);
  assert.equal(await readRemaining('127.0.0.2', ['198.51.100.4', '203.0.113.7']), through - 2);
  assert.equal(await readRemaining('127.0.0.2', 'garbage"\t<x>, 203.0.113.7'), through - 3);
  assert.equal(await readRemaining('127.0.0.2', '203.0.113.8'), through);
});

test('with TLS, only this host can set the session cookie, which is sent only over TLS; a cookie without the prefix is ignored (A57)', async () => {
  const visitor = await openVisitor(api, 'by-tls');
  const { headers } = await visitor.send('/login', { email: visitor.email, password: PASSWORD });
  const [session = '', sign = ''] = headers.getSetCookie();
  assert.match(session, /^__Host-courant_session=[\w.-]+; (?!.*Domain).*Path=\/; .*HttpOnly; Secure; SameSite=Lax/);
  assert.match(sign, /^courant_signed_in=1; .*Secure/);
  const own = session.split(';')[0] ?? '';
  const thrown = `courant_session=${await api.sessions.issue('courant:cookie', api.author.id)}`;
  const whoIs = async (cookie: string) =>
    (JSON.parse((await sendRequest('/account/viewer', { cookie })).text) as { username: string | null }).username;
  assert.equal(await whoIs(own), 'by-tls');
  assert.equal(await whoIs(thrown), null);
  assert.equal(await whoIs(`${thrown}; ${own}`), 'by-tls');
});

test('signing in and requesting a reset cost the same for unknown and known accounts (A60)', async () => {
  const visitor = await openVisitor(api, 'is-known');
  // With a hash of real cost, like the one computed for unknown accounts.
  await setPassword(api.db, visitor.userId, await hashPassword(PASSWORD));
  let network = 0;
  const send = (path: string, email: string) => {
    const body = new URLSearchParams({ email, password: 'a wrong one, surely' }).toString();
    const headers = {
      'x-forwarded-for': `203.0.113.${++network}`,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    };
    return sendRequest(path, headers, { from: '127.0.0.2', method: 'POST', body });
  };
  for (const path of ['/login', '/account/forgot-password']) {
    const costs = { known: [] as number[], unknown: [] as number[] };
    const responses = new Set<string>();
    const queryCounts = new Set<number>();
    for (let n = 0; n < 4; n++) {
      for (const who of ['known', 'unknown'] as const) {
        const email = who === 'known' ? visitor.email : `nobody-${n}@example.org`;
        const readUsedMs = startProcessorWatch(process.cpuUsage);
        const { queries, answer } = await countQueries(() => send(path, email));
        // The first request computes the hash used for unknown accounts.
        if (n > 0) costs[who].push(readUsedMs());
        queryCounts.add(queries);
        responses.add(`${answer.status} ${answer.headers.location} ${answer.text.replaceAll(email, '')}`);
      }
    }
    assert.equal(responses.size, 1, `${path}: one answer for both`);
    assert.equal(queryCounts.size, 1, `${path}: ${[...queryCounts].join(' and ')} statements`);
    // Processor time, of which the API’s other work adds only to some requests: the least of each.
    const [known, unknown] = [Math.min(...costs.known), Math.min(...costs.unknown)];
    assert.ok(known < 3 * unknown && unknown < 3 * known, `${path}: ${known} ms if known, ${unknown} ms if not`);
  }
});
