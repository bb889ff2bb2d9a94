/** Requests to sources: redirects, limits, and the result of each ending. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { nameImage } from '../../article/images/image-name.ts';
import { requestSource } from '../../sources/fetch.ts';
import { fetchImage } from '../../sources/image.ts';
import { closedOrigin, startServer } from '../destinations/destination-harness.ts';
import { createContext, startSource } from './support.ts';

const MIB = 1024 * 1024;
const context = createContext();
const request = (url: string, changes: object = {}, of = context) =>
  requestSource({ method: 'GET', url, maxBytes: MIB, name: 'The feed', ...changes }, of);
const later = (reason: string, more: object = {}) => ({ kind: 'later', reason, retryAfterMs: null, ...more });
const refused = (code: string, reason: string) => ({ kind: 'refused', code, reason });

test('redirects of a GET are followed four times, and the last address is reported', async (t) => {
  const server = await startSource(t);
  const move = (location: string) => ({ status: 302, headers: { location } });
  server.next(move('/b'), move(`${server.origin}/c`), move('d'), move('e'), { body: 'x' });
  const found = await request(`${server.origin}/a`);
  assert.ok(found.kind === 'done');
  assert.deepEqual([found.value.url, found.value.status], [`${server.origin}/e`, 200]);
  server.next(...Array.from({ length: 5 }, () => move('/again')));
  assert.deepEqual(await request(server.origin), refused('redirect', 'The feed redirects too many times.'));
  server.next({ status: 302 }, move('http://'));
  for (let n = 0; n < 2; n += 1)
    assert.deepEqual(await request(server.origin), refused('redirect', 'The feed redirects without an address.'));
  server.next(move('/b'));
  assert.deepEqual(
    await request(server.origin, { method: 'POST', body: {} }),
    refused('endpoint_moved', 'The feed has moved (HTTP 302).'),
  );
  server.next(move('ftp://a.io/'));
  assert.deepEqual(await request(server.origin), refused('address_refused', 'The address must start with https://.'));
});

test('a response is passed on with any status, except for those that ask for a later request', async (t) => {
  const server = await startSource(t);
  for (const status of [200, 204, 404, 499]) {
    server.next({ status });
    const found = await request(server.origin);
    assert.ok(found.kind === 'done' && found.value.status === status);
  }
  server.next(
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 500, headers: { 'retry-after': '8' } },
    { status: 503 },
  );
  assert.deepEqual(
    await request(server.origin),
    later('The feed limits the rate of requests.', { retryAfterMs: 7_000 }),
  );
  assert.deepEqual(await request(server.origin), later('The feed is unavailable (HTTP 500).', { retryAfterMs: 8_000 }));
  assert.deepEqual(await request(server.origin), later('The feed is unavailable (HTTP 503).'));
  server.next({ headers: { 'cf-mitigated': 'challenge' } });
  assert.deepEqual(await request(server.origin), later('The feed is unavailable (HTTP 200).'));
});

test('responses that are too large, forbidden or not sent at all are refused', async (t) => {
  const server = await startSource(t);
  server.next({ body: 'x'.repeat(1_000) }, { body: 'x'.repeat(1_001) });
  assert.equal((await request(server.origin, { maxBytes: 1_000 })).kind, 'done');
  const large = await request(server.origin, { maxBytes: 1_000 });
  assert.deepEqual(large, refused('too_large', 'The feed is larger than 0 MiB, which is the maximum.'));
  const { host } = new URL(server.origin);
  const closed = createContext({ allowPrivate: false });
  const guard = `The host ${host.replace(/:.*/, '')} is not on the public internet, so it is not called.`;
  assert.deepEqual(await request(`https://${host}/`, {}, closed), refused('address_refused', guard));
  const damaged = await request(server.origin, { headers: { accept: 'a\nb' } });
  assert.deepEqual(damaged, refused('address_refused', 'The feed cannot be requested.'));
});

test('a source that does not respond is silent; one that cuts the connection is not', async (t) => {
  const closed = await request(await closedOrigin());
  assert.deepEqual(closed, later('The feed could not be reached: it refuses connections.', { fault: 'silent' }));
  const cutting = await startServer(t, (incoming) => void incoming.socket.destroy());
  assert.deepEqual(await request(cutting), later('The feed could not be reached: the connection was cut.'));
  const silent = await startServer(t, () => undefined);
  const slow = await request(silent, {}, createContext({ timeoutMs: 100 }));
  assert.deepEqual(slow, later('The feed could not be reached: it did not respond in time.', { fault: 'silent' }));
  // All redirects together have one time limit.
  const delaying = await startServer(t, (_incoming, response) => {
    setTimeout(() => response.writeHead(302, { location: '/' }).end(), 60);
  });
  const result = await request(delaying, {}, createContext({ timeoutMs: 100 }));
  assert.ok(result.kind === 'later' && result.fault === 'silent', JSON.stringify(result));
});

test('a response that is compressed without a request is unpacked, up to the limit', async (t) => {
  const server = await startSource(t);
  const headers = { 'content-encoding': 'gzip' };
  server.next(
    { headers, body: gzipSync('x'.repeat(1_000)) },
    { headers, body: gzipSync('x'.repeat(1_001)) },
    { headers, body: 'no gzip' },
  );
  const found = await request(server.origin, { maxBytes: 1_000 });
  assert.ok(found.kind === 'done' && Buffer.from(found.value.bytes).toString() === 'x'.repeat(1_000));
  const problem = 'The feed is compressed, although that was not requested, and is too large or damaged.';
  for (let n = 0; n < 2; n += 1)
    assert.deepEqual(await request(server.origin, { maxBytes: 1_000 }), refused('too_large', problem));
});

test('a picture is named by its content, and anything else is refused', async (t) => {
  const server = await startSource(t);
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  server.next(
    { body: png, headers: { 'content-type': 'text/html' } },
    { status: 403 },
    { body: '<svg/>' },
    { status: 500 },
  );
  const found = await fetchImage(server.origin, context);
  assert.ok(found.kind === 'done');
  assert.deepEqual([Buffer.from(found.value.bytes), found.value.name], [png, nameImage(png, 'png')]);
  assert.equal(server.received[0]?.headers.accept, 'image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9');
  assert.deepEqual(
    await fetchImage(server.origin, context),
    refused('image_refused', 'Its server refuses access (HTTP 403).'),
  );
  const other = 'It is not a PNG, JPEG, GIF, WebP or AVIF picture; other types are not copied.';
  assert.deepEqual(await fetchImage(server.origin, context), refused('no_image', other));
  assert.deepEqual(await fetchImage(server.origin, context), later('The picture is unavailable (HTTP 500).'));
});
