/**
 * Upgrades a database without account ids: posts are assigned to accounts as far as they are known.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { connectDestination } from '../../../store/connections/connect.ts';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { migrateToLatest } from '../../../store/db/migrate.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { migrateTo } from '../../support/database/migrations.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let server: OpenTestDatabase;
let url: string;
let db: Database;
const name = `courant_former_${process.pid}`;
before(async () => {
  server = await openTestDatabase();
  await sql.raw(`create database ${name}`).execute(server.db);
  url = Object.assign(new URL(server.url), { pathname: name }).href;
  await migrateTo(url, '0003-readership');
  db = openDatabase(url);
});
after(async () => {
  await db.destroy();
  await sql.raw(`drop database ${name} with (force)`).execute(server.db);
  await server.close();
});

test('connections, posts and attempts of an earlier release get accounts, which the first probe at the same address identifies (F27)', async () => {
  await sql`insert into users (id, username, name, email, password_hash)
    values ('00000000-0000-4000-8000-000000000001', 'ada', 'Ada', 'ada@example.org', 'x')`.execute(db);
  await sql`insert into connections (user_id, destination, platform, base_url, credentials_sealed, account)
    select id, 'blogsite_a', 'forem', 'https://dev.to/api/', '', 'ada' from users`.execute(db);
  await sql`insert into articles (author_id, slug, title, title_key, canonical_key, status, source, body, derived, content_hash, fingerprint, cross_post, published_at)
    select id, s, s, s, s, 'PUBLISHED', '', 'x', '{}', '', '', '{}', now() from users, unnest(array['one', 'two']) s`.execute(
    db,
  );
  await sql`insert into deliveries (article_id, destination, state, remote_id, attempts)
    select id, k, 'delivered', '105', 1 from articles, unnest(array['blogsite_a', 'cms_site']) k where slug = 'one'`.execute(
    db,
  );
  await sql`insert into deliveries (article_id, destination, state, in_flight_action, in_flight_at, in_flight_hash, in_flight_revision, attempts)
    select id, 'blogsite_a', 'delivering', 'create', now(), 'sent', 1, 1 from articles where slug = 'two'`.execute(db);
  await migrateToLatest(url);

  const list = () =>
    db
      .selectFrom('articles')
      .innerJoin('copies', 'copies.articleId', 'articles.id')
      .innerJoin('accounts', 'accounts.id', 'copies.accountId')
      .select(['articles.slug', 'accounts.destination', 'copies.remoteId', 'accounts.identity'])
      .orderBy('articles.slug')
      .orderBy('accounts.destination')
      .execute();
  const former = 'unverified:https://dev.to/api/#ada';
  const at = (identity: string) => [
    { slug: 'one', destination: 'blogsite_a', remoteId: '105', identity },
    { slug: 'one', destination: 'cms_site', remoteId: '105', identity: 'unverified:disconnected' },
    { slug: 'two', destination: 'blogsite_a', remoteId: null, identity },
  ];
  assert.deepEqual(await list(), at(former));
  const accounts = await db.selectFrom('accounts').select(['identity', 'origin']).orderBy('identity').execute();
  assert.deepEqual(accounts, [
    { identity: 'unverified:disconnected', origin: null },
    { identity: former, origin: 'https://dev.to' },
  ]);
  const open = await db.selectFrom('deliveryAttempts').select(['action', 'endedAt']).execute();
  assert.deepEqual(open, [{ action: 'create', endedAt: null }]);

  const probed = {
    userId: '00000000-0000-4000-8000-000000000001',
    destination: 'blogsite_a',
    platform: 'forem',
    baseUrl: 'https://dev.to/api',
    credentials: {},
    normalizeBaseUrl: (address: string) => address.replace(/\/$/, ''),
    account: { identity: 'dev.to 7', name: '@ada', formerIdentities: ['ada'] },
    now: new Date(),
  } as const;
  await connectDestination(db, createSealer(Buffer.alloc(32)), probed);
  assert.deepEqual(await list(), at('dev.to 7'));

  // The account of the third post is unknown, so the post stays there, without a call or a
  // notification.
  await connectDestination(db, createSealer(Buffer.alloc(32)), {
    ...probed,
    destination: 'cms_site',
    platform: 'wordpress',
  });
  assert.deepEqual(await list(), at('dev.to 7'));
  assert.deepEqual(await db.selectFrom('notifications').select('payload').execute(), []);
});
