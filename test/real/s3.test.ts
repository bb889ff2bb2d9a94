/** The picture store against a real S3 server, which verifies the strict test server. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { formatImageName, nameImage } from '../../article/images/image-name.ts';
import { createS3Images, type S3Settings } from '../../store/images/files/s3-images.ts';
import { PICTURES, PNG_NAME } from '../store/images/files/pictures.ts';
import { prepareRealS3, type RealS3, skip } from './s3-server.ts';

describe('a real S3 server', { skip }, () => {
  let s3: RealS3;
  before(async () => {
    s3 = await prepareRealS3();
    await s3.start();
    const { ok, status } = await s3.request('PUT', '/pictures');
    assert.ok(ok, `the bucket could not be made: ${status}`);
  });
  after(() => s3?.close());

  const open = (more: Partial<S3Settings> = {}, timeoutMs?: number) =>
    createS3Images({ ...s3.settings, ...more }, timeoutMs);

  for (const [where, path] of [
    ['a bucket', ''],
    ['a folder of a bucket', '/a folder'],
  ] as const) {
    test(`${where} stores pictures, returns them unchanged, and removes them`, async () => {
      const images = open({ url: s3.settings.url + path });
      await images.check();
      assert.equal(await images.has(PNG_NAME), false);
      assert.equal(await images.open(PNG_NAME), null);
      await images.put(PNG_NAME, PICTURES.png);
      await images.put(PNG_NAME, PICTURES.png);
      assert.equal(await images.has(PNG_NAME), true);
      const opened = await images.open(PNG_NAME);
      assert.equal(opened?.bytes, PICTURES.png.length);
      assert.deepEqual(opened && (await buffer(opened.content)), PICTURES.png);
      await images.remove(PNG_NAME);
      await images.remove(PNG_NAME);
      assert.equal(await images.has(PNG_NAME), false);
    });
  }

  test('the largest picture and many concurrent ones are stored completely, each with its type', async () => {
    const images = open();
    const largest = randomBytes(10 * 1024 ** 2);
    const name = nameImage(largest, 'jpg');
    await images.put(name, largest);
    const opened = await images.open(name);
    assert.ok(opened && largest.equals(await buffer(opened.content)));
    const answer = await s3.request('HEAD', `/pictures/${formatImageName(name)}`);
    assert.equal(answer.headers.get('content-type'), 'image/jpeg');
    const many = Array.from({ length: 50 }, () => randomBytes(50_000));
    await Promise.all(many.map((bytes) => images.put(nameImage(bytes, 'png'), bytes)));
    const found = await Promise.all(many.map((bytes) => images.has(nameImage(bytes, 'png'))));
    assert.ok(found.every(Boolean));
  });

  test('bytes that do not match their name are rejected', async () => {
    await assert.rejects(open().put(PNG_NAME, Buffer.from('other bytes')), {
      name: 'ImageStoreError',
      isPermanent: true,
    });
    assert.equal(await open().has(PNG_NAME), false);
  });

  test('wrong keys, another region and a missing bucket are permanent errors', async () => {
    const wrong: [Partial<S3Settings>, RegExp][] = [
      [{ secretAccessKey: 'another' }, /HTTP 403, SignatureDoesNotMatch/],
      [{ accessKeyId: 'nobody' }, /HTTP 40[34], \w+/],
      [{ region: 'elsewhere' }, /HTTP 40[03], \w+/],
      [{ url: s3.settings.url.replace('pictures', 'no-bucket') }, /no bucket/],
    ];
    for (const [settings, message] of wrong) {
      const isRight = (error: Error & { isPermanent?: boolean }) => {
        assert.match(error.message, message);
        assert.ok(!error.message.includes(settings.secretAccessKey ?? s3.settings.secretAccessKey));
        return error.isPermanent === true;
      };
      await assert.rejects(open(settings).check(), isRight);
    }
  });

  test('an unreachable server is a temporary error, and its pictures are there afterwards', async () => {
    await open().put(PNG_NAME, PICTURES.png);
    await s3.kill();
    await assert.rejects(open().has(PNG_NAME), { isPermanent: false, message: /could not be reached: ECONNREFUSED/ });
    await s3.start();
    assert.equal(await open().has(PNG_NAME), true);
  });
});
