/** Imports repeat the prepared search for a post if PostgreSQL has lost it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { renderArticle } from '../../../article/derive.ts';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { startImport } from '../../../store/imports/start-import.ts';
import { storePost } from '../../../store/imports/store-post.ts';
import { read, SITE, withFrontmatter } from '../../article/support/documents.ts';
import { addPerson } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
/** One connection, so that the lost statement was prepared on it. */
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = openDatabase(database.url, { maxConnections: 1 });
});
after(async () => {
  await db.destroy();
  await database.close();
});

const now = new Date();
const origin = 'blog.example/feed';

async function addItems(authorId: string, remoteIds: readonly string[]): Promise<string> {
  const place = { baseUrl: 'https://blog.example/feed', name: '', origin };
  const options = { mostItems: null, since: null, asDraft: false, dryRun: false, images: 'keep' } as const;
  const order = { userId: authorId, source: 'rss', identifier: 'blog.example', place, ...options, now } as const;
  const { id } = await startImport(db, order);
  const rows = remoteIds.map((remoteId, number) => ({
    importId: id,
    number,
    remoteId,
    title: remoteId,
    hasBody: true,
  }));
  await db.insertInto('importItems').values(rows).execute();
  return id;
}

function store(authorId: string, item: { importId: string; number: number }, remoteId: string): Promise<void> {
  const document = withFrontmatter(`title: ${remoteId}`);
  const { draft } = read(document);
  const rendered = renderArticle(draft, { siteOrigin: SITE });
  const found = { ...{ item, authorId, origin, remoteId, draft, rendered, document }, source: 'rss' } as const;
  const importFields = { slug: null, publishedAt: null, updatedAt: null, warnings: [], copy: null, dryRun: false };
  return storePost(db, { ...found, ...importFields, baseUrl: SITE, storageLimit: 1024 * 1024, now });
}

test('a post is stored once if PostgreSQL has lost its prepared search', async () => {
  const authorId = await addPerson(db);
  const importId = await addItems(authorId, ['remembered', 'forgotten']);
  await store(authorId, { importId, number: 0 }, 'remembered');
  await sql`deallocate all`.execute(db);
  await store(authorId, { importId, number: 1 }, 'forgotten');
  const articles = await db.selectFrom('articles').select('title').where('authorId', '=', authorId).execute();
  assert.deepEqual(articles.map(({ title }) => title).sort(), ['forgotten', 'remembered']);
});
