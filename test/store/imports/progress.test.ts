/** Start, progress and end of an import, and what its author reads of it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findOwnImport, listImportItems, listOwnImports } from '../../../store/imports/own-imports.ts';
import * as progress from '../../../store/imports/progress.ts';
import { recordItem } from '../../../store/imports/record-item.ts';
import { cancelImport, MAX_IMPORTS_PER_DAY, startImport } from '../../../store/imports/start-import.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const NOW = new Date('2026-11-01T09:00:00Z');
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const DAY_MINUTES = 24 * 60;
const PLACE = { baseUrl: 'https://blog.example/feed', name: 'Blog', origin: 'blog.example/feed' };

function start(userId: string, now = NOW) {
  const options = { mostItems: 7, since: at(-1), asDraft: true, dryRun: true, images: 'copy' } as const;
  return startImport(ledger.db, { userId, source: 'rss', identifier: 'blog.example', place: PLACE, ...options, now });
}
const end = (importId: string, now = NOW, reason: string | null = null) =>
  progress.endImport(ledger.db, { importId, state: reason === null ? 'done' : 'failed', reason, now });
const listSignals = (importId: string) =>
  ledger.db.selectFrom('outbox').select('importId').where('importId', '=', importId).execute();

async function addItems(importId: string, ...remoteIds: string[]) {
  const post = JSON.stringify({ title: 'Listed' });
  const rows = remoteIds.map((remoteId, index) => ({
    ...{ importId, number: index + 1, remoteId, title: `The ${remoteId}`, hasBody: true, account: 'me', post },
  }));
  await ledger.db.insertInto('importItems').values(rows).execute();
  return rows.map(({ number }) => ({ importId, number }));
}
const listPosts = async (importId: string) => {
  const rows = ledger.db.selectFrom('importItems').select('post').where('importId', '=', importId).orderBy('number');
  return (await rows.execute()).map(({ post }) => post !== null);
};

test('a started import is stored as requested, reads the first page and signals its workflow', async () => {
  const userId = await ledger.addAuthor();
  const { id } = await start(userId);
  assert.deepEqual(await progress.loadImport(ledger.db, id), {
    ...{ id, userId, source: 'rss', identifier: 'blog.example', place: PLACE, mostItems: 7, since: at(-1) },
    ...{ asDraft: true, dryRun: true, images: 'copy', state: 'running', cursor: { page: 1 } },
    ...{ listedItems: 0, listedBytes: 0, notices: [], reason: null, waitsUntil: null, createdAt: NOW, endedAt: null },
  });
  assert.deepEqual(await listSignals(id), [{ importId: id }]);
  assert.equal(await progress.loadImport(ledger.db, crypto.randomUUID()), null);
});

test('an author has one running import, however old, and another author has another', async () => {
  const userId = await ledger.addAuthor();
  const { id } = await start(userId, at(-2 * DAY_MINUTES));
  await assert.rejects(start(userId), {
    code: 'IMPORT_RUNNING',
    message: `Your import ${id} is still running. Wait for it, or cancel it with cancelImport.`,
  });
  await start(await ledger.addAuthor());
  await end(id);
  await start(userId);
});

test('an author can start twenty imports within a day', async () => {
  const userId = await ledger.addAuthor();
  const startAndEnd = async (now: Date) => end((await start(userId, now)).id, now);
  for (let count = 0; count < MAX_IMPORTS_PER_DAY; count++) await startAndEnd(NOW);
  await assert.rejects(start(userId, at(DAY_MINUTES - 1)), {
    code: 'TOO_MANY',
    message: 'You have started 20 imports within a day, which is the maximum. Start the next one tomorrow.',
  });
  await startAndEnd(at(DAY_MINUTES));
});

test('a cancelled import ends once, and erases the posts that have no outcome', async () => {
  const userId = await ledger.addAuthor();
  const { id: importId } = await start(userId);
  const [first] = await addItems(importId, 'one', 'two');
  assert.ok(first);
  await ledger.db
    .updateTable('importItems')
    .set({ outcome: 'created', endedAt: NOW })
    .where('number', '=', 1)
    .execute();
  await progress.recordWait(ledger.db, importId, at(5));
  await ledger.db.deleteFrom('outbox').execute();
  assert.equal(await cancelImport(ledger.db, { userId, importId, now: at(1) }), true);
  const { state, endedAt, waitsUntil } = (await progress.loadImport(ledger.db, importId)) ?? {};
  assert.deepEqual([state, endedAt, waitsUntil], ['cancelled', at(1), null]);
  assert.deepEqual([await listPosts(importId), await listSignals(importId)], [[true, false], [{ importId }]]);

  await ledger.db.deleteFrom('outbox').execute();
  assert.equal(await cancelImport(ledger.db, { userId, importId, now: at(2) }), false);
  await end(importId, at(3), 'Too late.');
  await progress.recordWait(ledger.db, importId, at(5));
  const after = await progress.loadImport(ledger.db, importId);
  assert.deepEqual(
    [after?.state, after?.endedAt, after?.reason, after?.waitsUntil, await listSignals(importId)],
    ['cancelled', at(1), null, null, []],
  );
  const { id: done } = await start(userId);
  await end(done);
  assert.equal(await cancelImport(ledger.db, { userId, importId: done, now: at(2) }), false);
  assert.equal((await progress.loadImport(ledger.db, done))?.state, 'done');
});

test('an import of another author, or none, cannot be cancelled', async () => {
  const { id: importId } = await start(await ledger.addAuthor());
  const userId = await ledger.addAuthor();
  for (const id of [importId, crypto.randomUUID()]) {
    await assert.rejects(cancelImport(ledger.db, { userId, importId: id, now: NOW }), {
      code: 'NOT_FOUND',
      message: 'You have no such import.',
      field: 'id',
    });
  }
  assert.equal((await progress.loadImport(ledger.db, importId))?.state, 'running');
});

test('a failed import has its reason, waits for nothing and erases its open posts', async () => {
  const { id: importId } = await start(await ledger.addAuthor());
  const { id: other } = await start(await ledger.addAuthor());
  await addItems(importId, 'one');
  await addItems(other, 'one');
  await progress.recordWait(ledger.db, importId, at(5));
  assert.deepEqual((await progress.loadImport(ledger.db, importId))?.waitsUntil, at(5));
  await end(importId, at(1), 'The source is gone.\0');
  const { state, reason, endedAt, waitsUntil } = (await progress.loadImport(ledger.db, importId)) ?? {};
  assert.deepEqual([state, reason, endedAt, waitsUntil], ['failed', 'The source is gone.\uFFFD', at(1), null]);
  assert.deepEqual([await listPosts(importId), await listPosts(other)], [[false], [true]]);
});

test('an outcome is recorded once, with the beginning of a long reason', async () => {
  const { id: importId } = await start(await ledger.addAuthor());
  const [item] = await addItems(importId, 'one', 'two');
  assert.ok(item);
  const warnings = [{ code: 'excerpt_only', path: 'b', message: 'c' } as const];
  await recordItem(
    ledger.db,
    item,
    { outcome: 'refused', code: 'unreadable', reason: 'x'.repeat(1_001), warnings },
    NOW,
  );
  await recordItem(ledger.db, item, { outcome: 'created' }, at(1));
  const [[first, second] = []] = await listImportItems(ledger.db, [{ importId, after: null }], 10);
  assert.deepEqual(first, {
    ...{ page: 1, number: 1, title: 'The one', url: null, publishedAt: null, outcome: 'refused', code: 'unreadable' },
    ...{ reason: 'x'.repeat(1_000), warnings, adopted: false, articleId: null, slug: null, status: null },
  });
  assert.deepEqual([second?.number, second?.outcome], [2, null]);
  assert.deepEqual(
    [await listPosts(importId), await progress.countItems(ledger.db, importId)],
    [[false, true], { listed: 2, done: 1 }],
  );
});

test('an item is moved behind the others once, and an attempt that could not start is not counted', async () => {
  const { id: importId } = await start(await ledger.addAuthor());
  const [newest, oldest] = await addItems(importId, 'newest', 'oldest');
  assert.ok(newest && oldest);
  const find = async () => (await progress.findOpenItem(ledger.db, importId))?.remoteId;
  assert.deepEqual(await progress.findOpenItem(ledger.db, importId), {
    ...{ ...oldest, remoteId: 'oldest', post: { title: 'Listed' }, hasBody: true, account: 'me', attempts: 0 },
  });
  assert.equal(await progress.deferItem(ledger.db, oldest), true);
  assert.equal(await find(), 'newest');
  assert.equal(await progress.deferItem(ledger.db, oldest), false);
  await progress.countAttempt(ledger.db, oldest, -1);
  assert.equal(await find(), 'oldest');
  for (const item of [newest, oldest]) await recordItem(ledger.db, item, { outcome: 'created' }, NOW);
  assert.equal(await progress.findOpenItem(ledger.db, importId), null);
});

test('an author lists the own imports, newest first and page by page, with their counts', async () => {
  const userId = await ledger.addAuthor();
  const ids: string[] = [];
  for (const minutes of [0, 1, 2]) {
    const { id } = await start(userId, at(minutes));
    ids.push(id);
    await end(id, at(minutes));
  }
  await start(await ledger.addAuthor(), at(3));
  const [oldest = '', middle = '', newest = ''] = ids;
  const list = async (after: { micros: number; id: string } | null) =>
    (await listOwnImports(ledger.db, userId, { limit: 2, after })).map(({ id }) => id);
  assert.deepEqual(await list(null), [newest, middle]);
  assert.deepEqual(await list({ micros: at(1).getTime() * 1_000, id: middle }), [oldest]);

  const items = await addItems(middle, 'one', 'two', 'three', 'four');
  for (const [index, outcome] of (['created', 'present', 'refused'] as const).entries()) {
    await recordItem(ledger.db, items[index] ?? assert.fail(), { outcome, adopted: outcome === 'created' }, NOW);
  }
  const article = { articleId: await ledger.addArticle(userId, { slug: 'imported-one' }) };
  await ledger.db.updateTable('importItems').set(article).where('importId', '=', middle).execute();
  assert.deepEqual(await findOwnImport(ledger.db, { userId, importId: middle }), {
    ...{ id: middle, source: 'rss', identifier: 'blog.example', state: 'done', reason: null, notices: [] },
    ...{ dryRun: true, asDraft: true, images: 'copy', createdAt: at(1), endedAt: at(1), waitsUntil: null },
    ...{ listed: 0, isListed: false, created: 1, present: 1, refused: 1, adopted: 1 },
  });
  assert.equal(await findOwnImport(ledger.db, { userId: await ledger.addAuthor(), importId: middle }), undefined);

  const pages = await listImportItems(
    ledger.db,
    [
      { importId: newest, after: null },
      { importId: middle, after: 1 },
    ],
    2,
  );
  const shown = pages.map((page) => page.map(({ number, slug, status }) => [number, slug, status]));
  assert.deepEqual(shown, [
    [],
    [
      [2, 'imported-one', 'PUBLISHED'],
      [3, 'imported-one', 'PUBLISHED'],
    ],
  ]);
});
