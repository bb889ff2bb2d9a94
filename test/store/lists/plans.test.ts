/** The cost of reading the newest thirty articles of a list does not grow with the list. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type ArticleList, selectNewest } from '../../../store/lists/article-list.ts';
import { listArticles } from '../../../store/lists/list-articles.ts';
import { selectArticles } from '../../../store/sitemap/pages.ts';
import { readPlan } from '../../support/database/query-plan.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

const ARTICLES = 4_000;
/** Simulates this many earlier articles. */
const EARLIER = 7_000;
const AUTHOR = '00000000-0000-4000-8000-000000000007';
const SERIES = '00000000-0000-4000-8000-00000000000a';

let database: OpenTestDatabase;
before(async () => {
  database = await openTestDatabase();
  const { db } = database;
  await sql`insert into users (id, username, name, email, password_hash)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'u' || n, 'U', 'u' || n || '@example.org', '' from generate_series(1, 20) n`.execute(
    db,
  );
  await sql`insert into series (id, author_id, title, title_key, created_at) values (${SERIES}, ${AUTHOR}, 'S', 's', now())`.execute(
    db,
  );
  await sql`select setval('sitemap_places', ${EARLIER - 1})`.execute(db);
  await sql`
    insert into articles (author_id, slug, title, title_key, tags, part_of, canonical_key, cross_post, status, source, body, derived,
      fingerprint, content_hash, published_at)
    select ('00000000-0000-4000-8000-' || lpad((1 + n % 20)::text, 12, '0'))::uuid, 'a' || n, 'A ' || n, 'a', array['half', 'few' || n % 1333,
        case when n % 20 <> 6 or n = 3986 then 'most' else 'rest' end],
      case when n % 20 = 6 then ${SERIES}::uuid end, 'self:a' || n, '{}', 'PUBLISHED', '', '', '{}', '', '', now() - n * interval '1 minute'
    from generate_series(1, ${ARTICLES}::int) n`.execute(db);
  await sql`analyze`.execute(db);
});
after(() => database.close());

const lists: [ArticleList, number][] = [
  [{ kind: 'site' }, 30],
  [{ kind: 'author', authorId: AUTHOR }, 30],
  [{ kind: 'series', seriesId: SERIES }, 30],
  [{ kind: 'tag', tag: 'half' }, 30],
  [{ kind: 'tag', tag: 'few7' }, 3],
  [{ kind: 'tag', tag: 'none' }, 0],
  [{ kind: 'author-tag', authorId: AUTHOR, tag: 'half' }, 30],
  // The author has many others, and so does the tag.
  [{ kind: 'author-tag', authorId: AUTHOR, tag: 'most' }, 1],
  [{ kind: 'author-tag', authorId: AUTHOR, tag: 'few6' }, 1],
  [{ kind: 'author-tag', authorId: AUTHOR, tag: 'few7' }, 0],
];

for (const [list, found] of lists) {
  test(`the newest of ${JSON.stringify(list)} are read without the rest`, async () => {
    const newest = await listArticles(database.db, list, 30);
    assert.equal(newest.length, found);
    assert.deepEqual(
      newest.map(({ publishedAt }) => publishedAt.getTime()),
      newest.map(({ publishedAt }) => publishedAt.getTime()).sort((a, b) => b - a),
    );
    const plan = await readPlan(database.db, sql`select articles.slug ${selectNewest(list)} limit 30`);
    const read = plan
      .filter(({ relation }) => relation !== null && relation !== 'users')
      .map(({ rowsRead }) => rowsRead);
    assert.ok(Math.max(...read) <= 100, JSON.stringify(plan));
  });
}

test('a part of the sitemap reads only its own articles, and the authors once', async () => {
  const plan = await readPlan(database.db, sql`select articles.slug ${selectArticles(1)}`);
  const read = plan.filter(({ relation }) => relation !== null).reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  assert.ok(read <= EARLIER + ARTICLES - 10_000 + 100, JSON.stringify(plan));
});
