/** Which pictures of a post are copied, which keep their address, and when the post is retried. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { MockActivityEnvironment } from '@temporalio/testing';
import {
  type CopiedImages,
  copyImages,
  IMAGE_PAUSES_MS,
  planImageRetries,
} from '../../../activities/import/copy-images.ts';
import { findSourceCopy } from '../../../activities/import/source-copy.ts';
import { createRequestSpacing, createUnavailableHosts, type ImportStep } from '../../../activities/import/step.ts';
import { formatImageName, type ImageName, nameImage } from '../../../article/images/image-name.ts';
import type { SourcePost } from '../../../article/import/source-post.ts';
import type { SourceResult } from '../../../sources/types.ts';
import { ImageStoreError } from '../../../store/images/files/image-store.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

const BASE = 'https://here.example';
const IMPORT_ID = '7b0a3c52-6f0a-4c63-9d3a-111111111111';
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

let ledger: TestLedger;
let server: Server;
let site: string;
before(async () => {
  ledger = await openTestLedger();
  server = createServer(({ url = '' }, response) => {
    const status = Number(/^\/(\d{3})/.exec(url)?.[1] ?? 200);
    response.writeHead(status, status === 429 ? { 'retry-after': '7' } : {});
    response.end(Buffer.concat([PNG, Buffer.from(url)]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.close();
  await ledger.close();
});

interface Options {
  authorId?: string;
  retryPlan?: { pauseMs: number; forBusy: boolean; forSilent: boolean };
  imagesLimit?: number;
  stored?: Map<string, Uint8Array>;
  unavailableHosts?: ImportStep['unavailableHosts'];
  /** Thrown by the picture storage. */
  error?: Error;
}

const GIVE_UP = { pauseMs: 0, forBusy: false, forSilent: false };

async function copy(addresses: string[], options: Options = {}) {
  const { stored = new Map(), unavailableHosts = createUnavailableHosts(), error } = options;
  const waits: [string, number][] = [];
  const images = {
    has: async (name: ImageName) => stored.has(formatImageName(name)),
    async put(name: ImageName, bytes: Uint8Array) {
      if (error) throw error;
      stored.set(formatImageName(name), bytes);
    },
  };
  const now = () => new Date();
  const step = {
    deps: { db: ledger.db, baseUrl: BASE, now, images, imagesLimit: options.imagesLimit ?? 10_000 },
    context: { timeoutMs: 30_000, now, allowPrivate: true },
    pace: { wait: async (address: string, ms: number) => void waits.push([address, ms]) },
    unavailableHosts,
  } as unknown as ImportStep;
  const authorId = options.authorId ?? (await ledger.addAuthor());
  const task = { importId: IMPORT_ID, authorId, addresses, retryPlan: options.retryPlan ?? GIVE_UP };
  const copied = await new MockActivityEnvironment().run(() => copyImages(step, task));
  const result = copied as SourceResult<CopiedImages>;
  return { result, waits, stored, authorId };
}

const nameOf = (path: string) => formatImageName(nameImage(Buffer.concat([PNG, Buffer.from(path)]), 'png'));
const uncopied = (address: string, reason: string) => ({
  code: 'image_kept',
  message: `The picture ${address} was not copied, and the article still refers to this address. ${reason}`,
});

test('a picture is stored once per address, and requested at the rate of a browser', async () => {
  const first = await copy([`${site}/a.png`, `${site}/b.png`]);
  assert.deepEqual(first.waits, [
    [`${site}/a.png`, 50],
    [`${site}/b.png`, 50],
  ]);
  const copies = new Map([
    [`${site}/a.png`, `${BASE}/images/${nameOf('/a.png')}`],
    [`${site}/b.png`, `${BASE}/images/${nameOf('/b.png')}`],
  ]);
  assert.deepEqual(first.result, { kind: 'done', value: { copies, warnings: [] } });
  const again = await copy([...copies.keys()], first);
  assert.deepEqual([again.result, again.waits], [first.result, []]);
  const lost = await copy([`${site}/a.png`], { ...first, stored: new Map() });
  assert.equal(lost.waits.length, 1, 'a picture that the storage lost is fetched again');
});

test('a picture of this site is shared if it exists', async () => {
  const { stored } = await copy([`${site}/shared.png`]);
  const known = `${BASE}/images/${nameOf('/shared.png')}`;
  const missing = [`${BASE}/images/${nameOf('/other.png')}`, `${BASE}/images/x.png`];
  const { result, waits } = await copy([known, ...missing], { stored });
  const warnings = missing.map((address) => uncopied(address, 'This site has no such picture.'));
  assert.deepEqual(result, { kind: 'done', value: { copies: new Map([[known, known]]), warnings } });
  assert.deepEqual(waits, []);
});

test('pictures that cannot be copied keep their address, with the reason as a warning', async () => {
  const long = `${site}/${'x'.repeat(2_001 - site.length - 1)}`;
  const missing = `${site}/404`;
  const { result } = await copy([long, missing, `${site}/full.png`], { imagesLimit: 20 });
  assert.deepEqual(result, {
    kind: 'done',
    value: {
      copies: new Map(),
      warnings: [
        uncopied(long.slice(0, 300), 'Its address is too long.'),
        uncopied(missing, 'Its server refuses access (HTTP 404).'),
        uncopied(`${site}/full.png`, 'Your pictures use 0 of 20 bytes, and this one needs 25 more.'),
      ],
    },
  });
  const { result: fits } = await copy([`${site}/${'x'.repeat(2_000 - site.length - 1)}`]);
  assert.equal(fits.kind === 'done' && fits.value.copies.size, 1);
});

test('two hundred pictures of a post are copied, and twenty warnings listed', async () => {
  const at = (n: number) => `${site}/404?${n}`;
  const { result, waits } = await copy(Array.from({ length: 222 }, (_, n) => at(n)));
  assert.equal(waits.length, 200);
  const warnings = result.kind === 'done' ? result.value.warnings : [];
  assert.equal(warnings.length, 21);
  assert.deepEqual(warnings.at(-1), { code: 'image_kept', message: '202 more pictures were not copied.' });
  const last = await copy(Array.from({ length: 20 }, (_, n) => at(n)));
  assert.equal(last.result.kind === 'done' && last.result.value.warnings.length, 20);
  const two = await copy([...Array.from({ length: 199 }, () => ''), `${site}/last.png`, `${site}/further.png`]);
  const [tooMany] = two.result.kind === 'done' ? two.result.value.copies.keys() : [];
  assert.equal(tooMany, `${site}/last.png`);
});

test('a post with a busy picture is retried while its plan allows it', async () => {
  const busy = `${site}/429.png`;
  const wait = { pauseMs: 2_000, forBusy: true, forSilent: false };
  const { result } = await copy([`${site}/c.png`, busy], { retryPlan: wait });
  assert.equal(result.kind, 'later');
  assert.deepEqual(result.kind === 'later' && [result.retryAfterMs, result.fault], [7_000, 'picture']);
  const patient = await copy([`${site}/503.png`], { retryPlan: { ...wait, pauseMs: 9_000 } });
  assert.equal(patient.result.kind === 'later' && patient.result.retryAfterMs, 9_000);
  const unavailableHosts = createUnavailableHosts();
  const given = await copy([busy], { unavailableHosts });
  assert.equal(given.result.kind === 'done' && given.result.value.warnings.length, 1);
  const skipped = await copy([`${site}/d.png`], { unavailableHosts });
  const reason = 'Its server was unavailable or busy a short while ago.';
  assert.deepEqual(skipped.result.kind === 'done' && skipped.result.value.warnings, [
    uncopied(`${site}/d.png`, reason),
  ]);
  const other = await copy([busy], { retryPlan: wait, unavailableHosts: createUnavailableHosts() });
  assert.equal(other.result.kind, 'later');
});

test('an unavailable picture storage is our own fault', async () => {
  const error = new ImageStoreError('disk full', { isPermanent: false });
  assert.deepEqual((await copy([`${site}/e.png`], { error })).result, {
    ...{ kind: 'later', reason: 'The picture storage is unavailable.', retryAfterMs: null, fault: 'ours' },
  });
  await assert.rejects(copy([`${site}/f.png`], { error: new Error('a bug') }), { message: 'a bug' });
});

test('a busy host is retried after each pause, a silent one after the first', () => {
  const plans = [0, 3, 4, 5, 6, 7].map((attempts) => planImageRetries(attempts, IMAGE_PAUSES_MS));
  const plan = (pauseMs: number, forBusy: boolean, forSilent: boolean) => ({ pauseMs, forBusy, forSilent });
  assert.deepEqual(plans, [
    plan(2_000, true, true),
    plan(2_000, true, true),
    plan(2_000, true, true),
    plan(20_000, true, false),
    plan(120_000, true, false),
    plan(0, false, false),
  ]);
});

test('an unavailable host is remembered for ten minutes per import', (t) => {
  let at = 1_000;
  t.mock.method(performance, 'now', () => at);
  const hosts = createUnavailableHosts();
  hosts.add('i1', 'https://a.example/x.png');
  assert.equal(hosts.has('i1', 'https://a.example/y.png'), true);
  assert.equal(hosts.has('i1', 'https://b.example/x.png'), false);
  assert.equal(hosts.has('i2', 'https://a.example/x.png'), false);
  at += 599_999;
  assert.equal(hosts.has('i1', 'https://a.example/x.png'), true);
  at += 1;
  assert.equal(hosts.has('i1', 'https://a.example/x.png'), false);
  for (let n = 0; n < 9_999; n++) hosts.add('i1', `https://h${n}.example/`);
  assert.equal(hosts.has('i1', 'https://h0.example/'), true);
  hosts.add('i1', 'https://last.example/');
  assert.deepEqual(
    ['h0', 'last'].map((name) => hosts.has('i1', `https://${name}.example/`)),
    [false, true],
  );
});

test('requests to one host have an interval, those to different hosts none', async () => {
  const { wait } = createRequestSpacing();
  const started = performance.now();
  for (const address of ['https://a.example/1', 'https://b.example/', 'not an address']) await wait(address, 100);
  assert.ok(performance.now() - started < 90);
  await Promise.all([wait('https://a.example/2', 100), wait('https://a.example/3', 100)]);
  const elapsed = performance.now() - started;
  assert.ok(elapsed >= 195 && elapsed < 1_000, `${elapsed} ms`);
});

test('a post is matched to an account only with a valid address, and never to a feed', () => {
  const post = { remoteId: '7', url: 'https://dev.to/ada/7', updatedAt: '2026-11-20T12:00:00Z' } as SourcePost;
  const copied = findSourceCopy({ source: 'blogsite_a' }, post, 'ada');
  assert.deepEqual(
    [copied?.destination, copied?.identity, copied?.remoteId, copied?.url],
    ['blogsite_a', 'ada', '7', post.url],
  );
  assert.equal(findSourceCopy({ source: 'rss' }, post, 'ada'), null);
  assert.equal(findSourceCopy({ source: 'blogsite_a' }, post, null), null);
  assert.equal(findSourceCopy({ source: 'blogsite_a' }, { ...post, url: 'javascript:1' }, 'ada'), null);
});
