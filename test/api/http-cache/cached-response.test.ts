import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { CachedResponse, copyToOwnMemory } from '../../../api/http-cache/cached-response.ts';
import { createCacheFastPath } from '../../../api/http-cache/fast-path.ts';
import { matchVersion } from '../../../api/http-cache/preconditions.ts';
import { createResponseCache } from '../../../api/http-cache/response-cache.ts';

const ANSWER = {
  status: 200,
  type: 'text/plain',
  body: 'Text.',
  // Long ago: a response changed within the current second has no last-modified header until the second ends.
  lastModified: new Date('2026-01-02T03:04:05Z'),
  cacheTags: ['articles'],
} as const;

test('an invalid header value fails when the response is made, not in the fast path, where it would end the process', () => {
  for (const value of ['a\r\nset-cookie: b', 'An 🐈', 'nul\0']) {
    assert.throws(() => new CachedResponse({ ...ANSWER, headers: { link: value } }), /link/, JSON.stringify(value));
    assert.throws(() => new CachedResponse({ ...ANSWER, type: value }), /content-type/);
    assert.throws(() => new CachedResponse({ status: 301, location: value, cacheTags: [] }), /location/);
  }
});

test('the fast path sends cached responses with all their headers, and passes other requests on', async (t) => {
  const cache = createResponseCache({ maxBytes: 1_000_000 });
  cache.audience.onListening();
  cache.audience.onCaughtUp(performance.now() + 60_000);
  const cached = new CachedResponse({ ...ANSWER, headers: { 'content-signal': 'ai-train=no' } });
  const making = cache.begin('/a');
  making.store(cached);
  making.end();
  await cached.encodeBody('identity');
  const timeouts = { keepAliveTimeout: 1_000, requestTimeout: 1_000 };
  const handle = (_: unknown, response: { end(text: string): void }) => response.end('handed on');
  const options = { http: {} } as Parameters<ReturnType<typeof createCacheFastPath>['serverFactory']>[1];
  const server = createCacheFastPath(cache, timeouts).serverFactory(handle as never, options) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answer = await fetch(`${url}/a`);
  assert.equal(await answer.text(), 'Text.');
  for (const [name, value] of Object.entries(cached.getEncoded('identity')?.headers ?? {})) {
    assert.equal(answer.headers.get(name), value, name);
  }
  for (const [path, init] of [['/a', { method: 'POST' }], ['/a?x'], ['/a/'], ['/%61']] as const) {
    assert.equal(await (await fetch(`${url}${path}`, init)).text(), 'handed on', path);
  }
});

test('an ETag covers the headers, so that its 304 has only the headers that caches need', async () => {
  const lastModified = new Date('2026-01-02T03:04:05.678Z');
  const make = (headers: Record<string, string>) =>
    new CachedResponse({ ...ANSWER, lastModified, headers: { vary: 'accept', ...headers } }).encodeBody('identity');
  const [form, other] = [await make({ link: '<a>' }), await make({ link: '<b>' })];
  assert.notEqual(form.validators?.etag, other.validators?.etag);
  assert.deepEqual(Object.keys(form.notModified.tag).sort(), ['cache-control', 'etag', 'last-modified', 'vary']);
  // A date does not identify headers, and browsers adopt those of a 304.
  const { date } = form.notModified;
  assert.equal(date.link, '<a>');
  for (const [name, value] of Object.entries(date)) assert.equal(form.headers[name], value, name);
});

test('Last-Modified is sent once the second of the last change is over, so that no two versions share a date', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-01-02T03:04:05.300Z') });
  const cached = new CachedResponse({ ...ANSWER, lastModified: new Date() });
  const isSame = (since: string) => {
    const { validators } = cached.getEncoded('identity') ?? {};
    return validators && matchVersion({ 'if-modified-since': since }, validators) !== null;
  };
  const early = await cached.encodeBody('identity');
  assert.equal(early.headers['last-modified'], undefined);
  assert.ok(early.headers.etag);
  // A client may send the `Date` of its copy, and another change may follow within that second.
  const sameSecond = 'Fri, 02 Jan 2026 03:04:05 GMT';
  assert.equal(isSame(sameSecond), false);
  t.mock.timers.setTime(Date.parse('2026-01-02T03:04:06.000Z'));
  const later = cached.getEncoded('identity');
  const dated = later?.headers['last-modified'] ?? '';
  assert.equal(dated, 'Fri, 02 Jan 2026 03:04:06 GMT');
  assert.ok(later?.notModified.tag['last-modified'] === dated);
  assert.deepEqual([isSame(dated), isSame(sameSecond)], [true, false]);
  assert.equal(later?.body, early.body);
});

const SECURITY = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
const REVALIDATED = { 'cache-control': 'public, max-age=0, stale-while-revalidate=1' };

test('a response has the headers of its body, its version and its coding; a 304 repeats those that caches need', async () => {
  const cached = new CachedResponse({ ...ANSWER, headers: { Link: '<a>', 'Access-Control-Allow-Origin': '*' } });
  assert.equal(cached.getEncoded('gzip'), undefined);
  const encoding = cached.encodeBody('gzip');
  assert.equal(cached.encodeBody('identity'), encoding, 'a short body is not compressed');
  const { headers, notModified, validators, status, body } = await encoding;
  const version = { etag: validators?.etag, 'last-modified': 'Fri, 02 Jan 2026 03:04:06 GMT' };
  const cors = { 'access-control-allow-origin': '*' };
  assert.match(validators?.etag ?? '', /^"[\w-]{27}"$/);
  assert.deepEqual([status, body.toString()], [200, 'Text.']);
  const common = { ...SECURITY, link: '<a>', ...cors, ...REVALIDATED };
  assert.deepEqual(headers, { ...common, ...version, 'content-type': 'text/plain', 'content-length': '5' });
  assert.deepEqual(notModified.tag, { ...cors, ...REVALIDATED, ...version });
  assert.deepEqual(notModified.date, { ...common, ...version });
  assert.equal(cached.getEncoded('br'), await encoding);

  const long = new CachedResponse({ ...ANSWER, body: 'Text. '.repeat(1_000), headers: { vary: 'Accept' } });
  const zipped = await long.encodeBody('gzip');
  assert.match(zipped.validators?.etag ?? '', /^"[\w-]{27}-gzip"$/);
  assert.deepEqual(zipped.headers, {
    ...{ ...SECURITY, ...REVALIDATED, vary: 'Accept, accept-encoding' },
    ...{ etag: zipped.validators?.etag, 'last-modified': 'Fri, 02 Jan 2026 03:04:06 GMT' },
    ...{ 'content-type': 'text/plain', 'content-length': String(zipped.body.length), 'content-encoding': 'gzip' },
  });
  const plain = await new CachedResponse({ ...ANSWER, body: 'Text. '.repeat(1_000) }).encodeBody('identity');
  assert.equal(plain.headers.vary, 'accept-encoding');
  assert.equal(plain.headers['content-encoding'], undefined);
});

test('redirects are cached without a version; errors and responses without a date are not stored by clients', async () => {
  const moved = new CachedResponse({ status: 301, location: '/b', cacheTags: ['articles'] });
  const { headers, body, validators, status } = await moved.encodeBody('br');
  assert.deepEqual([status, body.length, validators, moved.isCacheable], [301, 0, null, true]);
  assert.deepEqual(headers, { ...SECURITY, ...REVALIDATED, location: '/b', 'content-length': '0' });
  const gone = new CachedResponse({ ...ANSWER, status: 410, lastModified: null });
  assert.equal(gone.isCacheable, false);
  assert.deepEqual((await gone.encodeBody('br')).headers, {
    ...{ ...SECURITY, 'cache-control': 'no-store', 'content-type': 'text/plain', 'content-length': '5' },
  });
  const dated = await new CachedResponse({ ...ANSWER, status: 404 }).encodeBody('identity');
  assert.deepEqual([dated.validators, dated.headers.etag], [null, undefined]);
  const stated = new CachedResponse({ ...ANSWER, headers: { 'Cache-Control': 'no-cache' } });
  assert.equal((await stated.encodeBody('identity')).headers['cache-control'], 'no-cache');
  assert.equal(new CachedResponse({ ...ANSWER, cacheTags: [] }).isCacheable, false);
});

test('a response varies by Accept only if its Vary names it', () => {
  const varies = (vary?: string) =>
    new CachedResponse({ ...ANSWER, ...(vary && { headers: { vary } }) }).variesByAccept;
  assert.deepEqual(['Accept', 'cookie, ACCEPT', 'origin,accept'].map(varies), [true, true, true]);
  assert.deepEqual([undefined, 'x-accept', 'accept-encoding', 'cookie'].map(varies), [false, false, false, false]);
});

test('the size of a response includes each coding of its body once', async () => {
  const cached = new CachedResponse({ ...ANSWER, body: 'Text. '.repeat(1_000) });
  assert.equal(cached.bytes, 8_000);
  await cached.encodeBody('identity');
  assert.equal(cached.bytes, 10_000);
  const { body } = await cached.encodeBody('gzip');
  await cached.encodeBody('gzip');
  assert.equal(cached.bytes, 12_000 + body.length);
});

test('each coding of a body has its own ETag', async () => {
  const body = 'Text. '.repeat(1_000);
  const answer = { status: 200, type: 'text/plain', body, lastModified: new Date(0), cacheTags: ['articles'] } as const;
  const cached = new CachedResponse(answer);
  const codings = ['identity', 'br', 'gzip', 'zstd'] as const;
  const forms = await Promise.all(codings.map((coding) => cached.encodeBody(coding)));
  assert.equal(new Set(forms.map(({ validators }) => validators?.etag)).size, codings.length);
});

test('bodies do not keep larger buffers in memory, of which Node returns slices', async () => {
  for (const [body, coding] of [
    ['Text.', 'identity'],
    ['Text. '.repeat(1_000), 'gzip'],
    ['Text. '.repeat(1_000), 'br'],
    ['Text. '.repeat(1_000), 'zstd'],
    [Buffer.from('a slice of the pool'), 'identity'],
  ] as const) {
    const encoded = await new CachedResponse({ ...ANSWER, body }).encodeBody(coding);
    assert.equal(encoded.body.buffer.byteLength, encoded.body.length, coding);
  }
  assert.equal(copyToOwnMemory(Buffer.from('A text.')).toString(), 'A text.');
  const own = Buffer.allocUnsafeSlow(3);
  assert.equal(copyToOwnMemory(own), own);
});
