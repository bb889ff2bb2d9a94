/**
 * Upgrades a database without search words; articles are found once this version has derived them.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../store/db/database.ts';
import { migrateToLatest } from '../../../store/db/migrate.ts';
import { requestList, titles, waitUntilAllDerived } from '../../api/articles/support/lists.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { migrateTo } from '../../support/database/migrations.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let server: OpenTestDatabase;
let api: TestApi;
const name = `courant_wordless_${process.pid}`;
before(async () => {
  server = await openTestDatabase();
  await sql.raw(`create database ${name}`).execute(server.db);
  const url = Object.assign(new URL(server.url), { pathname: name }).href;
  await migrateTo(url, '0016-interactions');
  const db = openDatabase(url);
  await insertArticles(db);
  await db.destroy();
  await migrateToLatest(url);
  api = await startTestApi({ databaseUrl: url });
});
after(async () => {
  await api.close();
  // Not by force: closing connections need some seconds.
  await sql.raw(`drop database ${name}`).execute(server.db);
  await server.close();
});

test('exactly the public articles of an earlier release are found', async () => {
  await waitUntilAllDerived(api);
  const found = titles((await requestList(api, { q: 'walrus', first: '50' })).body);
  assert.deepEqual(found.sort(), Array.from({ length: 30 }, (_, n) => `PUBLISHED ${n + 1}`).sort());
});

async function insertArticles(db: ReturnType<typeof openDatabase>): Promise<void> {
  await sql`insert into users (username, name, email, password_hash) values ('ada', 'Ada', 'ada@example.org', 'x')`.execute(
    db,
  );
  const description = JSON.stringify({ html: '<p>x</p>', excerpt: 'An excerpt.', plainText: 'x', headings: [] });
  await sql`insert into articles (author_id, slug, title, title_key, canonical_key, status, source, body, derived, derived_version, content_hash, fingerprint, cross_post, published_at, scheduled_at)
    select id, lower(state) || n, state || ' ' || n, lower(state) || ' ' || n, 'self:' || lower(state) || n, state, body, body, ${description}, n % 2, '', '', '{}',
      case when state = 'PUBLISHED' then now() end, case when state = 'SCHEDULED' then now() + interval '9 days' end
    from users, unnest(array['PUBLISHED', 'SCHEDULED', 'DRAFT']) state, generate_series(1, 30) n, lateral (select 'A walrus of ' || n as body) texts
    where username = 'ada'`.execute(db);
}
