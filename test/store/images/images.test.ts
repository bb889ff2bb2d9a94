/** Ownership, retention and limits of pictures. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sweepImages } from '../../../api/background/sweeper.ts';
import { buildImageUrl, type ImageName, nameImage } from '../../../article/images/image-name.ts';
import type { Database } from '../../../store/db/database.ts';
import { claimImage, findImageCopy, recordImageCopy } from '../../../store/images/claim-image.ts';
import { createFileImages } from '../../../store/images/files/file-images.ts';
import type { ImageStore } from '../../../store/images/files/image-store.ts';
import { finishImageDeletion, startImageDeletions, UNUSED_IMAGE_RETENTION_MS } from '../../../store/images/sweep.ts';
import { addArticle, addPerson } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { makePng } from './files/pictures.ts';

const DAY_MS = 24 * 3_600_000;
let database: OpenTestDatabase;
let db: Database;
let folder: string;
let images: ImageStore;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
  folder = await mkdtemp(join(tmpdir(), 'courant-images-'));
  images = createFileImages(folder);
});
after(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const start = new Date('2026-11-01T00:00:00Z');
const later = (days: number) => new Date(start.getTime() + days * DAY_MS);
let serial = 0;

async function keep(authorId: string, bytes = makePng(String(++serial)), now = start): Promise<ImageName> {
  const name = nameImage(bytes, 'png');
  const claim = await claimImage(db, { authorId, name, bytes: bytes.length, limitBytes: 1_000_000, now });
  assert.equal(claim.kind, 'claimed');
  await images.put(name, bytes);
  const address = `https://blog.example/${serial}.png`;
  assert.ok(await recordImageCopy(db, { authorId, address, name, bytes: bytes.length, now }));
  return name;
}

async function show(authorId: string, name: ImageName): Promise<string> {
  const { id: articleId } = await addArticle(db, authorId);
  const source = `![A picture](${buildImageUrl('https://courant.example', name)})`;
  await db.updateTable('articles').set({ source }).where('id', '=', articleId).execute();
  return articleId;
}

/** Sweeps daily. Each day has enough calls for every author. */
async function sweepUntil(days: number): Promise<void> {
  for (let day = 0; day <= days; day += 1)
    for (let author = 0; author < 10; author += 1) await sweepImages(db, images, later(day));
}

test('a picture of two authors is stored once and counted for each; a repeated claim uses no more space', async () => {
  const [ann, ben] = [await addPerson(db), await addPerson(db)];
  const bytes = makePng('shared');
  const name = await keep(ann, bytes);
  await keep(ann, bytes);
  await keep(ben, bytes);
  const rows = await db.selectFrom('authorImages').select('authorId').where('hash', '=', name.hash).execute();
  assert.equal(rows.length, 2);
  const more = { name: nameImage(makePng('more'), 'png'), bytes: 100, now: start };
  const full = await claimImage(db, { ...more, authorId: ann, limitBytes: bytes.length + 99 });
  assert.deepEqual(full, { kind: 'full', usedBytes: bytes.length });
  assert.equal((await claimImage(db, { ...more, authorId: ann, limitBytes: bytes.length + 100 })).kind, 'claimed');
  const again = await claimImage(db, { authorId: ann, name, bytes: bytes.length, limitBytes: 0, now: start });
  assert.equal(again.kind, 'claimed');
});

test('simultaneous claims do not exceed the limit together', async () => {
  const ann = await addPerson(db);
  const claims = [1, 2, 3, 4].map((mark) => {
    const name = nameImage(makePng(`at once ${mark}`), 'png');
    return claimImage(db, { authorId: ann, name, bytes: 100, limitBytes: 250, now: start });
  });
  const kinds = (await Promise.all(claims)).map(({ kind }) => kind);
  assert.deepEqual(kinds.sort(), ['claimed', 'claimed', 'full', 'full']);
});

test('a picture stays while a document names it; a week after the last one it is deleted with its source address', async () => {
  const ann = await addPerson(db);
  const [shown, unused, deleted] = [await keep(ann), await keep(ann), await keep(ann)];
  await show(ann, shown);
  const articleId = await show(ann, deleted);
  await db.updateTable('articles').set({ deletedAt: start }).where('id', '=', articleId).execute();
  await sweepUntil(UNUSED_IMAGE_RETENTION_MS / DAY_MS - 1);
  for (const name of [shown, unused, deleted]) assert.equal(await images.has(name), true);
  await sweepUntil(UNUSED_IMAGE_RETENTION_MS / DAY_MS + 4);
  assert.deepEqual(
    [await images.has(shown), await images.has(unused), await images.has(deleted)],
    [true, false, false],
  );
  const copies = await db.selectFrom('imageCopies').select('hash').where('authorId', '=', ann).execute();
  assert.deepEqual(copies, [{ hash: shown.hash }]);
});

test('a picture that is named again in time stays', async () => {
  const ann = await addPerson(db);
  const name = await keep(ann);
  await sweepUntil(5);
  await show(ann, name);
  await sweepUntil(30);
  assert.equal(await images.has(name), true);
});

test('pictures of a deleted account are deleted at once, unless another author has them', async () => {
  const [ann, ben] = [await addPerson(db), await addPerson(db)];
  const bytes = makePng('of both');
  const [own, both] = [await keep(ann), await keep(ann, bytes)];
  await keep(ben, bytes);
  await db.deleteFrom('authorImages').where('authorId', '=', ann).execute();
  await sweepImages(db, images, start);
  assert.deepEqual([await images.has(own), await images.has(both)], [false, true]);
  assert.equal(await db.selectFrom('images').select('hash').where('hash', '=', own.hash).executeTakeFirst(), undefined);
});

test('a picture that cannot be deleted does not hold back the others, and is tried again', async () => {
  const ann = await addPerson(db);
  const names = [await keep(ann), await keep(ann), await keep(ann), await keep(ann)];
  await db.deleteFrom('authorImages').where('authorId', '=', ann).execute();
  let stuck: string | undefined;
  let isBroken = true;
  const refusing: ImageStore = {
    ...images,
    async remove(name) {
      stuck ??= name.hash;
      if (isBroken && name.hash === stuck) throw new Error('this file cannot be deleted');
      await images.remove(name);
    },
  };
  const listLeft = async () => {
    const hashes = names.map(({ hash }) => hash);
    const rows = await db.selectFrom('images').select('hash').where('hash', 'in', hashes).execute();
    return rows.map(({ hash }) => hash);
  };
  await assert.rejects(sweepImages(db, refusing, start), /cannot be deleted/);
  assert.deepEqual(await listLeft(), [stuck]);
  isBroken = false;
  await sweepImages(db, refusing, later(1));
  assert.deepEqual(await listLeft(), []);
  for (const name of names) assert.equal(await images.has(name), false);
});

test('a claim waits for the deletion of its picture, and an interrupted deletion is resumed', async () => {
  const [ann, ben] = [await addPerson(db), await addPerson(db)];
  const bytes = makePng('in between');
  const name = await keep(ann, bytes);
  await db.deleteFrom('authorImages').where('authorId', '=', ann).execute();
  assert.deepEqual(await startImageDeletions(db, start), [name]);
  const claim = { authorId: ben, name, bytes: bytes.length, limitBytes: 1_000_000, now: start };
  assert.equal((await claimImage(db, claim)).kind, 'busy');
  assert.equal(
    await findImageCopy(db, { authorId: ann, address: `https://blog.example/${serial}.png`, now: start }),
    null,
  );
  const minutes = (count: number) => new Date(start.getTime() + count * 60_000);
  assert.deepEqual(await startImageDeletions(db, minutes(10)), [], 'another instance deletes it');
  assert.deepEqual(await startImageDeletions(db, minutes(11)), [name]);
  await finishImageDeletion(db, name, start);
  assert.equal((await claimImage(db, claim)).kind, 'busy', 'the end of the first attempt does not end the second');
  await finishImageDeletion(db, name, minutes(11));
  assert.equal((await claimImage(db, claim)).kind, 'claimed');
});

test('a picture stored after its author has gone is swept', async () => {
  const bytes = makePng('too late');
  const name = nameImage(bytes, 'png');
  const copy = { name, bytes: bytes.length, now: start, address: 'https://blog.example/late.png' };
  const isSwept = async (day: number) => {
    await sweepImages(db, images, later(day));
    return !(await images.has(name));
  };
  const claimAndGo = async () => {
    const authorId = await addPerson(db);
    assert.equal((await claimImage(db, { ...copy, authorId, limitBytes: 1_000_000 })).kind, 'claimed');
    await db.deleteFrom('authorImages').where('authorId', '=', authorId).execute();
    return authorId;
  };

  const swept = await claimAndGo();
  await isSwept(0);
  await images.put(name, bytes);
  assert.equal(await recordImageCopy(db, { ...copy, authorId: swept }), false);
  assert.ok(await isSwept(1));

  const beingSwept = await claimAndGo();
  assert.deepEqual(await startImageDeletions(db, later(2)), [name]);
  await images.remove(name);
  await images.put(name, bytes);
  assert.equal(await recordImageCopy(db, { ...copy, authorId: beingSwept, now: later(2.5) }), false);
  await finishImageDeletion(db, name, later(2));
  assert.ok(await isSwept(4));
});
