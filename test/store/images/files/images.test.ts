/** Stores of copied pictures. All stores pass the same tests. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { formatImageName, nameImage, parseImageName } from '../../../../article/images/image-name.ts';
import { findImageType } from '../../../../article/images/image-types.ts';
import { findFreePort } from '../../../../scripts/start/ports.ts';
import { createFileImages } from '../../../../store/images/files/file-images.ts';
import { type ImageStore, ImageStoreError } from '../../../../store/images/files/image-store.ts';
import { createS3Images } from '../../../../store/images/files/s3-images.ts';
import { startServer } from '../../../destinations/destination-harness.ts';
import { makePng, PICTURES, PNG_NAME } from './pictures.ts';
import { S3_KEY, S3_REGION, type S3Server, startS3Server } from './s3-server.ts';

let folder: string;
let s3: S3Server;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'courant-images-'));
  s3 = await startS3Server();
});
after(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const openS3 = (more: Partial<Parameters<typeof createS3Images>[0]> = {}, timeoutMs?: number) =>
  createS3Images({ url: s3.url, region: S3_REGION, ...S3_KEY, ...more }, timeoutMs);

test('pictures are recognised only by their first bytes (A53)', () => {
  for (const [type, bytes] of Object.entries(PICTURES)) assert.equal(findImageType(bytes), type);
  const others = [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<html>',
    '',
    'GIF',
    'RIFF....WAVE',
    '\0\0\0\x18ftypisom\0\0\0\0mp42',
  ];
  for (const text of others) assert.equal(findImageType(Buffer.from(text, 'latin1')), null, text);
});

test('a name is a hash with an extension; paths are rejected (A53)', () => {
  assert.deepEqual(parseImageName(formatImageName(PNG_NAME)), PNG_NAME);
  const { hash } = PNG_NAME;
  const others = [
    `../${hash}.png`,
    `${hash}.svg`,
    `${hash.toUpperCase()}.png`,
    `${hash}.png/`,
    `${hash}.png\n`,
    hash,
    'incoming',
    '',
  ];
  for (const text of others) assert.equal(parseImageName(text), null, text);
});

const STORES: Record<string, () => ImageStore> = {
  files: () => createFileImages(join(folder, 'kept')),
  'a bucket': () => openS3(),
  'a folder of a bucket': () => openS3({ url: `${s3.url}/with a folder` }),
};
for (const [name, openStore] of Object.entries(STORES)) {
  test(`${name}: a stored picture is complete, storing it twice is safe, and a removed one is absent`, async () => {
    const store = openStore();
    await store.check();
    assert.equal(await store.has(PNG_NAME), false);
    assert.equal(await store.open(PNG_NAME), null);
    await store.remove(PNG_NAME);
    await Promise.all([store.put(PNG_NAME, PICTURES.png), store.put(PNG_NAME, PICTURES.png)]);
    await store.put(PNG_NAME, PICTURES.png);
    assert.equal(await store.has(PNG_NAME), true);
    const image = await store.open(PNG_NAME);
    assert.ok(image);
    assert.equal(image.bytes, PICTURES.png.length);
    assert.deepEqual(await buffer(image.content), PICTURES.png);
    await store.remove(PNG_NAME);
    assert.equal(await store.has(PNG_NAME), false);
  });
}

test('files: only pictures remain, and the next start removes temporary files of a crash', async () => {
  const recent = join(folder, 'crashed');
  const store = createFileImages(recent);
  await store.check();
  const leftOver = join(recent, 'incoming', 'half-a-picture');
  await writeFile(leftOver, 'half');
  await utimes(leftOver, 0, 0);
  await store.put(PNG_NAME, PICTURES.png);
  await store.check();
  const names = await readdir(recent, { recursive: true });
  assert.deepEqual(
    names.sort(),
    [PNG_NAME.hash.slice(0, 2), `${PNG_NAME.hash.slice(0, 2)}/${formatImageName(PNG_NAME)}`, 'incoming'].sort(),
  );
});

test('files: a folder without write access is reported at the start', { skip: process.getuid?.() === 0 }, async () => {
  const closed = await mkdtemp(join(folder, 'closed-'));
  await chmod(closed, 0o500);
  await assert.rejects(
    createFileImages(closed).check(),
    (error) => error instanceof ImageStoreError && error.isPermanent,
  );
});

test('a bucket: the type is stored; a wrong key, bucket, region or content is rejected without naming a secret', async () => {
  const jpeg = nameImage(PICTURES.jpg, 'jpg');
  await openS3().put(jpeg, PICTURES.jpg);
  assert.equal(s3.objects.get(formatImageName(jpeg))?.type, 'image/jpeg');
  const wrong: [ImageStore, RegExp][] = [
    [
      openS3({ secretAccessKey: 'another-secret' }),
      /^127\.0\.0\.1:\d+ refused PUT for a picture \(HTTP 403, SignatureDoesNotMatch\)\.$/,
    ],
    [openS3({ accessKeyId: 'nobody' }), /HTTP 403, InvalidAccessKeyId/],
    [openS3({ region: 'elsewhere' }), /HTTP 403, AuthorizationHeaderMalformed/],
    [
      openS3({ url: s3.url.replace('pictures', 'no-bucket') }),
      /^There is no bucket at http:\/\/127\.0\.0\.1:\d+\/no-bucket\.$/,
    ],
  ];
  for (const [store, message] of wrong) {
    await assert.rejects(store.check(), (error) => {
      assert.ok(error instanceof ImageStoreError && error.isPermanent);
      assert.match(error.message, message);
      assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /secret/);
      return true;
    });
  }
  await assert.rejects(openS3().put(PNG_NAME, makePng('other bytes')), /XAmzContentSHA256Mismatch/);
  // Some services return this for an unknown key; the bucket exists.
  s3.faults.push(404);
  await assert.rejects(openS3().check(), /HTTP 404, SlowDown/);
});

test('a bucket: an unreachable or busy one is a temporary error', async () => {
  const { host } = new URL(s3.url);
  for (const [status, isPermanent] of [
    [400, true],
    [408, false],
    [429, false],
    [499, true],
    [500, false],
    [503, false],
  ] as const) {
    s3.faults.push(status, status);
    const refused = { name: 'ImageStoreError', isPermanent };
    const message = (method: string, code = '') => `${host} refused ${method} for a picture (HTTP ${status}${code}).`;
    await assert.rejects(openS3().put(PNG_NAME, PICTURES.png), { ...refused, message: message('HEAD') });
    await assert.rejects(openS3().open(PNG_NAME), { ...refused, message: message('GET', ', SlowDown') });
  }
  const port = await findFreePort();
  await assert.rejects(openS3({ url: `http://127.0.0.1:${port}/pictures` }).has(PNG_NAME), {
    name: 'ImageStoreError',
    message: `127.0.0.1:${port} could not be reached: ECONNREFUSED`,
    isPermanent: false,
  });
});

test('a bucket: one that does not respond in time is a temporary error', async (context) => {
  const url = await startServer(context, () => undefined);
  await assert.rejects(openS3({ url }, 50).has(PNG_NAME), {
    name: 'ImageStoreError',
    message: `${new URL(url).host} could not be reached: it did not respond in time`,
    isPermanent: false,
  });
});

test('a bucket: a stored picture is not sent again, and a check writes and removes an object', async () => {
  const png = makePng('sent once');
  const name = nameImage(png, 'png');
  s3.requests.length = 0;
  for (let times = 0; times < 2; times++) await openS3().put(name, png);
  await openS3().check();
  const key = formatImageName(name);
  assert.deepEqual(s3.requests, [
    ...[`HEAD ${key} 0`, `PUT ${key} ${png.length}`, `HEAD ${key} 0`],
    ...['PUT courant-check 24', 'DELETE courant-check 0'],
  ]);
});

test('files: a folder that cannot be used is a permanent error', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const loop = join(folder, 'a-loop');
  await symlink(loop, loop);
  for (const [path, code] of [
    [file, 'ENOTDIR'],
    [loop, 'ELOOP'],
  ] as const) {
    const store = createFileImages(path);
    const rejection = { name: 'ImageStoreError', isPermanent: true };
    const message = new RegExp(`^The picture folder cannot be used: ${code}: `);
    await assert.rejects(store.has(PNG_NAME), { ...rejection, message });
    await assert.rejects(store.put(PNG_NAME, PICTURES.png), { ...rejection, message });
    await assert.rejects(store.open(PNG_NAME), { ...rejection, message });
    await assert.rejects(store.remove(PNG_NAME), { ...rejection, message });
  }
});
