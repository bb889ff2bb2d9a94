/** The posts that an import stores from its source, and the order in which they are imported. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SourcePost } from '../../../article/import/source-post.ts';
import type { Database } from '../../../store/db/database.ts';
import { countAttempt, countItems, findOpenItem, loadImport } from '../../../store/imports/progress.ts';
import { startImport } from '../../../store/imports/start-import.ts';
import { MAX_IMPORT_BYTES, MAX_IMPORT_ITEMS, storePage } from '../../../store/imports/store-page.ts';
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

async function addRunning(userId: string): Promise<string> {
  const place = { baseUrl: 'https://blog.example/feed', name: '', origin };
  const options = { mostItems: null, since: null, asDraft: false, dryRun: false, images: 'keep' } as const;
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

async function keep(importId: string, posts: SourcePost[]) {
  const row = await loadImport(db, importId);
  assert.ok(row);
  const listed = posts.map((post) => ({ post, hasBody: true, account: null }));
  await storePage(db, row, { posts: listed, next: null, notices: [] });
  return (await loadImport(db, importId))?.notices.map(({ code }) => code);
}

test('a page with more posts than a query has parameters is stored up to the limits', async () => {
  const importId = await addRunning(await addPerson(db));
  const posts = Array.from({ length: 70_000 }, (_, index) => makePost(String(index)));
  assert.deepEqual(await keep(importId, posts), ['import_full']);
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
