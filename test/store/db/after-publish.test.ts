/** Upgrades a database with articles that have no derived version and no byte counts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { DERIVED_VERSION } from '../../../article/derived-version.ts';
import { listUnderived } from '../../../store/articles/derived.ts';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { migrateToLatest } from '../../../store/db/migrate.ts';
import { migrateTo } from '../../support/database/migrations.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let server: OpenTestDatabase;
let db: Database;
const name = `courant_earlier_${process.pid}`;
before(async () => {
  server = await openTestDatabase();
  await sql.raw(`create database ${name}`).execute(server.db);
  const url = Object.assign(new URL(server.url), { pathname: name }).href;
  await migrateTo(url, '0011-connections');
  db = openDatabase(url);
  await sql`insert into users (username, name, email, password_hash)
    select u, u, u || '@example.org', 'x' from unnest(array['ada', 'bob', 'new']) u`.execute(db);
  await insertArticles('ada', 30, 'Zwölf');
  await insertArticles('bob', 1, '');
  await migrateToLatest(url);
});
after(async () => {
  await db.destroy();
  // Not by force: closing connections need some seconds.
  await sql.raw(`drop database ${name}`).execute(server.db);
  await server.close();
});

test('articles of an earlier release are shown unchanged and derived again by this version', async () => {
  const { rows } = await sql`select distinct derived_version as version from articles`.execute(db);
  assert.deepEqual(rows, [{ version: 1 }]);
  assert.ok(DERIVED_VERSION > 1);
  assert.equal((await listUnderived(db, { limit: 100, except: [] })).length, 31);
});

test('the bytes of their documents are counted', async () => {
  const { rows } = await sql`select username, stored_bytes as bytes from users order by username`.execute(db);
  assert.deepEqual(rows, [
    { username: 'ada', bytes: 30 * 6 },
    { username: 'bob', bytes: 0 },
    { username: 'new', bytes: 0 },
  ]);
});

test('a new article is derived before those that an older version derived', async () => {
  await insertArticles('new', 1, 'x');
  const [first] = await listUnderived(db, { limit: 1, except: [] });
  const { rows } = await sql`select derived_version as version from articles where id = ${first}`.execute(db);
  assert.deepEqual(rows, [{ version: 0 }]);
});

async function insertArticles(username: string, count: number, source: string): Promise<void> {
  await sql`insert into articles (author_id, slug, title, title_key, canonical_key, status, source, body, derived, content_hash, fingerprint, cross_post, published_at)
    select id, username || n, 't', 't', username || n, 'PUBLISHED', ${source}, 'x', '{}', '', '', '{}', now()
    from users, generate_series(1, ${count}::int) n where username = ${username}`.execute(db);
}
