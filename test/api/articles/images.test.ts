/** Tests how copied pictures are served, with a store that a test controls. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import Fastify from 'fastify';
import { imageRoutes } from '../../../api/articles/images.ts';
import { formatImageName } from '../../../article/images/image-name.ts';
import { type ImageStore, ImageStoreError } from '../../../store/images/files/image-store.ts';
import { PICTURES, PNG_NAME } from '../../store/images/files/pictures.ts';

const opened: Readable[] = [];
let failure: Error | null = null;
let isGone = false;
const images = {
  has: async ({ hash }: { hash: string }) => {
    if (failure) throw failure;
    return hash === PNG_NAME.hash;
  },
  open: async () => {
    if (isGone) return null;
    const content = Readable.from([PICTURES.png]);
    opened.push(content);
    return { content, bytes: PICTURES.png.length };
  },
} as unknown as ImageStore;

const errors: { message: string; code?: string; headers?: object }[] = [];
const app = Fastify();
before(async () => {
  app.addHook('onError', async (_request, _reply, error) => {
    errors.push(error as (typeof errors)[number]);
  });
  await imageRoutes(app, { images });
});
after(() => app.close());

const path = `/images/${formatImageName(PNG_NAME)}`;
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  etag: `"${PNG_NAME.hash}"`,
  'content-type': 'image/png',
};
const request = (url: string, { method = 'GET', headers = {} }: { method?: 'GET' | 'HEAD'; headers?: object } = {}) =>
  app.inject({ url, method, headers: headers as Record<string, string> });

test('a picture is sent with its type and length, cacheable forever by any site', async () => {
  const { statusCode, headers, rawPayload } = await request(path);
  assert.equal(statusCode, 200);
  assert.partialDeepStrictEqual(headers, { ...HEADERS, 'content-length': String(PICTURES.png.length) });
  assert.ok(rawPayload.equals(PICTURES.png));
});

test('HEAD has the length of the picture, and closes the file', async () => {
  const { statusCode, headers, rawPayload } = await request(path, { method: 'HEAD' });
  assert.deepEqual([statusCode, headers['content-length'], rawPayload.length], [200, String(PICTURES.png.length), 0]);
  assert.equal(opened.at(-1)?.destroyed, true);
});

test('a picture that a client has is not sent again', async () => {
  const { length } = opened;
  const { statusCode, headers, body } = await request(path, { headers: { 'if-none-match': HEADERS.etag } });
  assert.deepEqual([statusCode, body, opened.length], [304, '', length]);
  assert.partialDeepStrictEqual(headers, { etag: HEADERS.etag, 'cache-control': HEADERS['cache-control'] });
  assert.equal((await request(path, { headers: { 'if-none-match': '"x"' } })).statusCode, 200);
});

test('an unknown name, an unknown picture and one that was just deleted give 404', async () => {
  const other = `/images/${formatImageName({ ...PNG_NAME, hash: 'f'.repeat(64) })}`;
  for (const url of ['/images/x.png', other]) assert.equal((await request(url)).statusCode, 404, url);
  isGone = true;
  assert.equal((await request(path)).statusCode, 404);
  isGone = false;
});

test('while the store is unavailable, the response says when to try again', async () => {
  failure = new ImageStoreError('unavailable', { isPermanent: false });
  assert.equal((await request(path)).statusCode, 503);
  failure = new Error('a bug');
  assert.equal((await request(path)).statusCode, 500);
  failure = null;
  assert.deepEqual(
    errors.map(({ message, code, headers }) => [message, code, headers]),
    [
      [...['The image store is unavailable. Try again in a moment.', 'images_unavailable'], { 'retry-after': '5' }],
      ['a bug', undefined, undefined],
    ],
  );
});
