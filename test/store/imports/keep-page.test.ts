/** The posts that an import stores from its source, and the order in which they are imported. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SourcePost } from '../../../article/import/source-post.ts';
import type { Database } from '../../../store/db/database.ts';
import { countAttempt, countItems, findOpenItem, loadImport, recordWait } from '../../../store/imports/progress.ts';
import { startImport } from '../../../store/imports/start-import.ts';
import { type ListedPage, MAX_IMPORT_BYTES, MAX_IMPORT_ITEMS, storePage } from '../../../store/imports/store-page.ts';
import { addArticle, addPerson } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const now = new Date();
const origin = 'blog.example/feed';

async function addRunning(userId: string, mostItems: number | null = null): Promise<string> {
  const place = { baseUrl: 'https://blog.example/feed', name: '', origin };
  const options = { mostItems, since: null, asDraft: false, dryRun: false, images: 'keep' } as const;
  const { id } = await startImport(db, { userId, source: 'rss', identifier: 'blog.example', place, ...options, now });
  return id;
}

function makePost(remoteId: string, text = 'A text'): SourcePost {
  const none = { subtitle: null, excerpt: null, slug: null, canonicalUrl: null, coverImage: null, series: null };
  const body = { format: 'html', text, base: null, isExcerpt: false } as const;
  return {
    ...none,
    remoteId,
    url: null,
    title: remoteId,
    tags: [],
    language: null,
    publishedAt: null,
    updatedAt: null,
    body,
  };
}

async function keep(importId: string, posts: SourcePost[], page: Partial<ListedPage> = {}) {
  const row = await loadImport(db, importId);
  assert.ok(row);
  const listed = posts.map((post) => ({ post, hasBody: true, account: null }));
  await storePage(db, row, { posts: listed, next: null, notices: [], ...page });
  return (await loadImport(db, importId))?.notices;
}

test('a page with more posts than a query has parameters is stored up to the limits', async () => {
  const importId = await addRunning(await addPerson(db));
  const posts = Array.from({ length: 70_000 }, (_, index) => makePost(String(index)));
  const message = 'The source has more than 5000 posts, which is the maximum for one import; the oldest were left out.';
  assert.deepEqual(await keep(importId, posts), [{ code: 'import_full', message }]);
  assert.equal((await countItems(db, importId)).listed, MAX_IMPORT_ITEMS);
});

test('texts of posts imported before use no space, so a further import reaches the missing ones', async () => {
  const authorId = await addPerson(db);
  const importId = await addRunning(authorId);
  const text = 'x'.repeat(MAX_IMPORT_BYTES / 4);
  const posts = ['a', 'b', 'c', 'd', 'e'].map((id) => makePost(id, text));
  for (const remoteId of ['a', 'b', 'c']) {
    const { id: articleId } = await addArticle(db, authorId);
    await db
      .insertInto('articleOrigins')
      .values({ authorId, source: 'rss', origin, remoteId, articleId, createdAt: now })
      .execute();
  }
  assert.deepEqual(await keep(importId, posts), []);
  assert.equal((await countItems(db, importId)).listed, 5);
});

test('a failing post lets the others come first before it is retried and given up', async () => {
  const importId = await addRunning(await addPerson(db));
  await keep(importId, [makePost('newest'), makePost('oldest')]);
  const attempts: string[] = [];
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const item = await findOpenItem(db, importId);
    assert.ok(item);
    attempts.push(item.remoteId);
    await countAttempt(db, item, 1);
  }
  const four = (name: string) => [name, name, name, name];
  assert.deepEqual(attempts, [...four('oldest'), ...four('newest'), ...four('oldest')]);
});

test('an import that exceeds 64 MiB ends with a notice, and with the posts that fit', async () => {
  const importId = await addRunning(await addPerson(db));
  const { length } = JSON.stringify(makePost('a', ''));
  const half = 'x'.repeat(MAX_IMPORT_BYTES / 2 - length);
  const message =
    'The posts have more than 64 MiB together, which is the maximum for one import. Import again for the missing posts.';
  const next = { page: 2 };
  assert.deepEqual(await keep(importId, [makePost('a', half), makePost('b', half)], { next }), []);
  const full = await loadImport(db, importId);
  assert.deepEqual([full?.cursor, full?.listedItems, full?.listedBytes], [next, 2, MAX_IMPORT_BYTES]);
  assert.deepEqual(await keep(importId, [makePost('c', '')], { next: { page: 3 } }), [
    { code: 'import_full', message },
  ]);
  const ended = await loadImport(db, importId);
  assert.deepEqual([ended?.cursor, ended?.listedItems, ended?.listedBytes], [null, 2, MAX_IMPORT_BYTES]);
});

test('an import with a limit of its author ends there without a notice', async () => {
  const importId = await addRunning(await addPerson(db), 3);
  const next = (page: number) => ({ next: { page } });
  assert.deepEqual(await keep(importId, [makePost('a'), makePost('b')], next(2)), []);
  assert.deepEqual((await loadImport(db, importId))?.cursor, { page: 2 });
  assert.deepEqual(await keep(importId, [makePost('c'), makePost('d')], next(3)), []);
  const row = await loadImport(db, importId);
  assert.deepEqual([row?.cursor, row?.listedItems], [null, 3]);
  const exact = await addRunning(await addPerson(db), 2);
  await keep(exact, [makePost('a'), makePost('b')], next(2));
  assert.equal((await loadImport(db, exact))?.cursor, null);
});

test('a page is stored once, and a post that is listed twice is stored once', async () => {
  const importId = await addRunning(await addPerson(db));
  const first = await loadImport(db, importId);
  assert.ok(first);
  await keep(importId, [makePost('a'), makePost('a'), makePost('b')], { next: { page: 2 } });
  const listed = [{ post: makePost('late'), hasBody: true, account: null }];
  await storePage(db, first, { posts: listed, next: null, notices: [] });
  await keep(importId, [makePost('b'), makePost(`${'c'.repeat(400)}`)], { next: null });
  const rows = db.selectFrom('importItems').select(['number', 'remoteId', 'title']).where('importId', '=', importId);
  assert.deepEqual(await rows.orderBy('number').execute(), [
    { number: 1, remoteId: 'a', title: 'a' },
    { number: 2, remoteId: 'b', title: 'b' },
    { number: 3, remoteId: 'c'.repeat(400), title: 'c'.repeat(300) },
  ]);
  assert.equal((await loadImport(db, importId))?.cursor, null);
});

test('the notices of all pages are stored, fifty at most, and a stored page ends a wait', async () => {
  const importId = await addRunning(await addPerson(db));
  const notices = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      code: 'empty_entries' as const,
      message: `Notice ${from + index}`,
    }));
  await recordWait(db, importId, now);
  await keep(importId, [], { notices: notices(0, 2), next: { page: 2 } });
  const stored = await keep(importId, [], { notices: notices(2, 60) });
  assert.deepEqual(stored, notices(0, 50));
  assert.equal((await loadImport(db, importId))?.waitsUntil, null);
});
