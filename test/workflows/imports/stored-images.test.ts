/** Tests stored pictures: serving, export, sharing, deletion, loss and an unavailable store. */
import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { unzipSync } from 'fflate';
import { sweepImages } from '../../../api/background/sweeper.ts';
import { nameImage } from '../../../article/images/image-name.ts';
import { createFileImages } from '../../../store/images/files/file-images.ts';
import { deleteAccount } from '../../../store/users/delete-account.ts';
import { makePng, PICTURES } from '../../store/images/files/pictures.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { eventually } from '../../support/eventually.ts';
import { addressOf, type PictureWorld, startPictureWorld } from '../support/picture-world.ts';

let pictures: PictureWorld;
before(async () => {
  pictures = await startPictureWorld();
});
after(() => pictures.close());

test('a picture is served with its type in a sandbox, invalid names are a 404, and there is no list (A53)', async () => {
  pictures.list(pictures.writeItem('served', '<p><img src="/shared.png" alt="shared"></p>'));
  await pictures.importAll(await pictures.world.api.createAuthor('served'));
  const png = addressOf(PICTURES.png, 'png');
  const answer = await pictures.get(png);
  assert.equal(answer.status, 200);
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), PICTURES.png);
  const { headers } = answer;
  assert.equal(headers.get('content-type'), 'image/png');
  assert.equal(headers.get('content-length'), String(PICTURES.png.length));
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'; sandbox");
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal((await pictures.get(png, { 'if-none-match': headers.get('etag') ?? '' })).status, 304);
  const head = await fetch(`${pictures.world.api.url}${png}`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(PICTURES.png.length)]);
  const wrong = [
    '/images',
    '/images/',
    png.replace('.png', '.jpg'),
    png.replace('.png', '.svg'),
    `${png}.html`,
    png.toUpperCase(),
  ];
  for (const path of [
    ...wrong,
    '/images/incoming',
    `/images/${'0'.repeat(64)}.png`,
    '/images/..%2f..%2fcredentials.key',
  ]) {
    const missing = await pictures.get(path);
    assert.equal(missing.status, 404, path);
    assert.doesNotMatch(missing.headers.get('cache-control') ?? '', /immutable/);
  }
  assert.match(await requestRaw('/images/../../credentials.key'), /^HTTP\/1\.1 404/);
});

test('an export contains the pictures, and deleting the account deletes all but shared ones', async () => {
  const [leaving, staying] = [
    await pictures.world.api.createAuthor('leaving'),
    await pictures.world.api.createAuthor('staying'),
  ];
  const unshared = makePng('only of one');
  pictures.files['/own.png'] = unshared;
  pictures.list(pictures.writeItem('own', '<p><img src="/own.png" alt="own"><img src="/shared.png" alt="shared"></p>'));
  await pictures.importAll(leaving);
  pictures.list(pictures.writeItem('other', '<p><img src="/shared.png" alt="shared"></p>'));
  await pictures.importAll(staying);
  const { url: address } = (await runGraphql(pictures.world.api, leaving.id, 'mutation { exportEverything { url } }'))
    .data.exportEverything;
  const files = unzipSync(new Uint8Array(await (await fetch(address)).arrayBuffer()));
  assert.deepEqual(Buffer.from(files[addressOf(unshared, 'png').slice(1)] ?? []), unshared);
  assert.ok(files[addressOf(PICTURES.png, 'png').slice(1)]);

  const { db } = pictures.world.api;
  const { passwordHash } = await db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', leaving.id)
    .executeTakeFirstOrThrow();
  await deleteAccount(db, { userId: leaving.id, passwordHash, now: new Date() });
  await sweepImages(db, createFileImages(join(pictures.world.api.home, 'images')), new Date());
  assert.equal((await pictures.get(addressOf(unshared, 'png'))).status, 404);
  assert.equal((await pictures.get(addressOf(PICTURES.png, 'png'))).status, 200);
});

test('a picture lost by the store is fetched again for the next post with it', async () => {
  const author = await pictures.world.api.createAuthor('lost-copy');
  const bytes = makePng('lost by its store');
  pictures.files['/lost.png'] = bytes;
  const first = pictures.writeItem('before', '<p><img src="/lost.png" alt="lost"></p>');
  pictures.list(first);
  await pictures.importAll(author);
  const images = createFileImages(join(pictures.world.api.home, 'images'));
  await images.remove(nameImage(bytes, 'png'));
  pictures.list(pictures.writeItem('after', '<p><img src="/lost.png" alt="lost"></p>') + first);
  await pictures.importAll(author);
  assert.equal((await pictures.get(addressOf(bytes, 'png'))).status, 200);
});

test('a stored picture of another author is shared and outlives that author’s account', async () => {
  const [first, second] = [
    await pictures.world.api.createAuthor('first-of-two'),
    await pictures.world.api.createAuthor('second-of-two'),
  ];
  const bytes = makePng('of two');
  pictures.files['/two.png'] = bytes;
  pictures.list(pictures.writeItem('first', '<p><img src="/two.png" alt="two"></p>'));
  await pictures.importAll(first);
  const siteUrl = `http://localhost:${new URL(pictures.world.api.url).port}`;
  const missing = `${siteUrl}/images/${'0'.repeat(64)}.png`;
  pictures.list(
    pictures.writeItem(
      'second',
      `<p><img src="${siteUrl}${addressOf(bytes, 'png')}" alt="two"><img src="${missing}" alt="none"></p>`,
    ),
  );
  const [item] = await pictures.importAll(second);
  assert.match(item?.warnings.map(({ message }) => message).join() ?? '', /0000.png was not copied/);
  const { db } = pictures.world.api;
  const keeps = await db.selectFrom('authorImages').select('hash').where('authorId', '=', second.id).execute();
  assert.deepEqual(keeps, [{ hash: nameImage(bytes, 'png').hash }]);
});

test('a post waits for an unavailable picture store without counting attempts', async () => {
  const author = await pictures.world.api.createAuthor('store-away');
  pictures.files['/patient.png'] = makePng('patient');
  pictures.list(pictures.writeItem('patient', '<p><img src="/patient.png" alt="patient"></p>'));
  const folder = join(pictures.world.api.home, 'images');
  await rename(folder, `${folder}-away`);
  await writeFile(folder, 'no folder');
  const done = pictures.importAll(author);
  const { db } = pictures.world.api;
  const waiting = () =>
    db
      .selectFrom('importItems')
      .innerJoin('imports', 'imports.id', 'importItems.importId')
      .select(['attempts', 'waitsUntil'])
      .where('imports.userId', '=', author.id)
      .executeTakeFirst();
  const seen = new Set<number>();
  await eventually(
    'the third pause',
    async () => {
      const at = (await waiting())?.waitsUntil?.getTime();
      if (at !== undefined) seen.add(at);
      return seen.size >= 3 ? true : null;
    },
    { withinMs: 60_000 },
  );
  assert.equal((await waiting())?.attempts, 0);
  await rm(folder);
  await rename(`${folder}-away`, folder);
  assert.deepEqual(
    (await done).map(({ outcome, warnings }) => [outcome, warnings]),
    [['CREATED', []]],
  );
});

/** Sends a raw request, without the normalisation of an HTTP client. */
function requestRaw(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(new URL(pictures.world.api.url).port), '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    });
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}
