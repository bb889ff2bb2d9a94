import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { CachedResponse } from '../../../api/http-cache/cached-response.ts';
import { createPublicResponder } from '../../../api/http-cache/public-responder.ts';
import type { PublicResponse } from '../../../api/http-cache/public-response.ts';
import { createResponseCache, type ResponseCache } from '../../../api/http-cache/response-cache.ts';
import { CHANGE_CHANNEL } from '../../../store/changes/list-changes.ts';
import { eventually } from '../../support/eventually.ts';

const MIB = 1024 * 1024;

function open(maxBytes = MIB): ResponseCache {
  const cache = createResponseCache({ maxBytes });
  cache.audience.onListening();
  cache.audience.onCaughtUp(performance.now());
  return cache;
}

function build(cacheTags: PublicResponse['cacheTags'], more: Partial<PublicResponse> = {}): CachedResponse {
  return new CachedResponse({
    status: 200,
    type: 'text/plain',
    body: 'Text.',
    lastModified: new Date(),
    cacheTags,
    ...more,
  });
}

function store(cache: ResponseCache, key: string, cached: CachedResponse): void {
  const making = cache.begin(key);
  making.store(cached);
  making.end();
}

const announce = (cache: ResponseCache, payload: string) => cache.audience.channels[CHANGE_CHANNEL]?.(payload);

test('a change drops exactly the responses with its cache tag', () => {
  const cache = open();
  store(cache, '/a', build(['article:1']));
  store(cache, '/b', build(['article:2', 'articles']));
  announce(cache, 'article:1 author:9');
  assert.deepEqual([cache.get('/a') !== undefined, cache.get('/b') !== undefined], [false, true]);
  announce(cache, 'everything');
  assert.equal(cache.count, 0);
});

test('a response begun before a change of its cache tags is not cached', () => {
  const cache = open();
  for (const [payload, isCached] of [
    ['article:1', false],
    ['everything', false],
    ['article:2', true],
  ] as const) {
    const making = cache.begin('/a');
    announce(cache, payload);
    making.store(build(['article:1']));
    making.end();
    assert.equal(cache.get('/a') !== undefined, isCached, payload);
  }
});

test('a response begun without the LISTEN connection, or before it was lost, is not cached', () => {
  const cache = createResponseCache({ maxBytes: MIB });
  const making = cache.begin('/a');
  cache.audience.onListening();
  cache.audience.onCaughtUp(performance.now());
  making.store(build(['article:1']));
  assert.equal(cache.get('/a'), undefined);
  const another = cache.begin('/a');
  cache.audience.onLost();
  cache.audience.onListening();
  another.store(build(['article:1']));
  assert.equal(cache.count, 0);
});

test('the cache is not used a second after the last confirmation, or without the LISTEN connection', () => {
  const cache = open();
  store(cache, '/a', build(['article:1']));
  cache.audience.onCaughtUp(performance.now() - 1_001);
  assert.equal(cache.get('/a'), undefined);
  cache.audience.onCaughtUp(performance.now());
  assert.equal(cache.isTrusted(), true);
  cache.audience.onLost();
  cache.audience.onCaughtUp(performance.now());
  assert.equal(cache.isTrusted(), false);
});

test('after doubt(), the cache is not used until a later confirmation, which is valid for one second', () => {
  const cache = open();
  store(cache, '/a', build(['article:1']));
  cache.distrustAll();
  assert.equal(cache.get('/a'), undefined);
  cache.audience.onCaughtUp(performance.now() - 500);
  assert.equal(cache.get('/a'), undefined, 'that was asked before the doubt');
  cache.audience.onCaughtUp(performance.now());
  assert.ok(cache.get('/a'));
  cache.audience.onCaughtUp(performance.now() - 1_001);
  assert.equal(cache.get('/a'), undefined);
});

test('responses without cache tags, and 404 and 410, are not cached (A44)', () => {
  const cache = open();
  store(cache, '/a', build([]));
  store(cache, '/b', build(['article:1'], { status: 404 }));
  store(cache, '/c', build(['article:1'], { status: 410 }));
  assert.equal(cache.count, 0);
});

for (const [what, change] of [
  ['a change', (cache: ResponseCache) => announce(cache, 'article:1')],
  ['a write whose announcement is missing', (cache: ResponseCache) => cache.distrustAll()],
] as const) {
  test(`concurrent requests share one response, and a request after ${what} gets a new one`, async () => {
    await assertNotShared(change);
  });
}

async function assertNotShared(change: (cache: ResponseCache) => void): Promise<void> {
  const cache = open();
  const answers = createPublicResponder(cache);
  const makings: PromiseWithResolvers<PublicResponse>[] = [];
  const make = () => {
    const making = Promise.withResolvers<PublicResponse>();
    makings.push(making);
    return making.promise;
  };
  const app = fastify();
  app.get('/a', (request, reply) => answers.send(request, reply, { key: '/a', make }));
  await app.ready();
  const sendRequest = async () => (await app.inject('/a')).body;
  const requests = [sendRequest(), sendRequest()];
  await eventually('the first making', async () => makings.length === 1);
  change(cache);
  requests.push(sendRequest());
  await eventually('the second making', async () => makings.length === 2);
  for (const [at, body] of ['Before.', 'After.'].entries()) {
    makings[at]?.resolve({ status: 200, type: 'text/plain', body, lastModified: null, cacheTags: ['article:1'] });
  }
  assert.deepEqual(await Promise.all(requests), ['Before.', 'Before.', 'After.']);
  await app.close();
}

test('a response is dropped by each of its tags, and kept if only tags of others change meanwhile', () => {
  const cache = open();
  for (const [payload, isCached] of [
    ['article:1', false],
    ['articles', false],
    ['author:1', true],
  ] as const) {
    const making = cache.begin('/a');
    announce(cache, payload);
    making.store(build(['article:1', 'articles']));
    making.end();
    assert.equal(cache.get('/a') !== undefined, isCached, payload);
  }
  store(cache, '/b', build(['articles']));
  announce(cache, 'articles');
  assert.equal(cache.count, 0);
  store(cache, '/b', build(['articles']));
  assert.ok(cache.get('/b'));
});

test('a cache that never listened stores nothing; one that lost the connection is empty', () => {
  const cache = createResponseCache({ maxBytes: MIB });
  store(cache, '/a', build(['article:1']));
  assert.deepEqual([cache.count, cache.isTrusted()], [0, false]);
  cache.audience.onCaughtUp(performance.now());
  assert.equal(cache.isTrusted(), false);
  cache.audience.onListening();
  store(cache, '/a', build(['article:1']));
  const { version } = cache;
  cache.audience.onLost();
  assert.equal(cache.count, 0);
  assert.ok(cache.version > version);
});

test('the version increases with each change and each doubt', () => {
  const cache = open();
  const versions = [cache.version];
  announce(cache, 'article:1');
  versions.push(cache.version);
  cache.distrustAll();
  versions.push(cache.version);
  assert.deepEqual(versions, [versions[0], (versions[0] ?? 0) + 1, (versions[0] ?? 0) + 2]);
});

test('reads are delayed until the last announcement; an incomplete one distrusts the cache', async () => {
  const cache = open();
  store(cache, '/a', build(['article:1']));
  const [first, second] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
  assert.equal(cache.pendingAnnouncements, null);
  cache.delayReadsUntil(first.promise);
  cache.delayReadsUntil(second.promise);
  const { pendingAnnouncements } = cache;
  first.resolve(true);
  await first.promise;
  await Promise.resolve();
  assert.equal(cache.pendingAnnouncements, pendingAnnouncements, 'the second one is pending');
  assert.ok(pendingAnnouncements);
  second.resolve(true);
  await pendingAnnouncements;
  assert.equal(cache.pendingAnnouncements, null);
  assert.ok(cache.get('/a'));
  cache.delayReadsUntil(Promise.resolve(false));
  await cache.pendingAnnouncements;
  assert.equal(cache.pendingAnnouncements, null);
  assert.equal(cache.get('/a'), undefined);
});

test('the size of a response includes its key and its tags', () => {
  const cache = open();
  const cached = build(['articles']);
  store(cache, '/a', cached);
  assert.equal(cache.bytes, cached.bytes + 208);
  const tagged = build(['articles', 'article:1']);
  store(cache, '/abcd', tagged);
  assert.equal(cache.bytes, cached.bytes + 208 + tagged.bytes + 420);
  announce(cache, 'article:1');
  assert.equal(cache.bytes, cached.bytes + 208);
});

test('10,000 responses stay within the memory limit, and those in use are not evicted', async () => {
  const cache = open(2 * MIB);
  store(cache, '/popular', build(['articles'], { body: 'x'.repeat(10_000) }));
  for (let number = 0; number < 10_000; number++) {
    // Confirms the connection as a running server does, so that a slow machine does not expire it.
    cache.audience.onCaughtUp(performance.now());
    const cached = build([`article:${number}`], { body: 'words '.repeat(1_000) });
    store(cache, `/${number}`, cached);
    if (number % 100 === 0) {
      assert.ok(cache.get('/popular'), String(number));
      await cached.encodeBody('gzip');
      cache.updateSize(`/${number}`);
    }
    assert.ok(cache.bytes <= 2 * MIB);
  }
  assert.ok(cache.count > 100 && cache.count < 400, String(cache.count));
  assert.equal(cache.getByUrl('/0', undefined), undefined);
  store(cache, '/large', build(['articles'], { body: 'x'.repeat(MIB) }));
  assert.equal(cache.get('/large'), undefined, 'one answer does not push out all others');
  assert.ok(cache.get('/popular'));
});

test('the size of a cached response grows with each coding of its body', async () => {
  const cache = open(8 * MIB);
  const body = randomBytes(50_000).toString('hex');
  const cached = build(['article:1'], { body });
  store(cache, '/a', cached);
  let { bytes } = cache;
  for (const coding of ['gzip', 'br', 'zstd'] as const) {
    const { body: encoded } = await cached.encodeBody(coding);
    cache.updateSize('/a');
    assert.ok(cache.bytes >= bytes + encoded.length, `${coding}: ${bytes} bytes before, ${cache.bytes} after`);
    bytes = cache.bytes;
  }
  announce(cache, 'article:1');
  assert.deepEqual([cache.count, cache.bytes], [0, 0]);
});

test('getAt finds the response in the form that Accept selects, also after many different headers', () => {
  const cache = open();
  const page = build(['article:1'], { headers: { Vary: 'Accept' } });
  const markdown = build(['article:1'], { headers: { Vary: 'Accept' } });
  const document = build(['article:1']);
  assert.equal(cache.getByUrl('/a', 'text/markdown'), undefined, 'nothing is cached yet');
  store(cache, '/a', page);
  assert.equal(cache.getByUrl('/a', 'text/markdown'), undefined, 'the other form is yet to be made');
  store(cache, '/a as Markdown', markdown);
  store(cache, '/b', document);
  for (let number = 0; number < 1_000; number++) assert.equal(cache.getByUrl('/a', `text/x-${number}`), page);
  for (const accept of [undefined, 'text/html', 'text/markdown;q=0.1, text/html']) {
    assert.equal(cache.getByUrl('/a', accept), page, accept);
  }
  assert.equal(cache.getByUrl('/a', 'text/markdown'), markdown);
  assert.equal(cache.getByUrl('/b', 'text/markdown'), document, 'it has one form');
  for (const url of ['/a/', '/a?x', '//a', '/%61', 'http://host/a'])
    assert.equal(cache.getByUrl(url, undefined), undefined);
  announce(cache, 'article:1');
  assert.equal(cache.getByUrl('/a', 'text/html'), undefined);
});
