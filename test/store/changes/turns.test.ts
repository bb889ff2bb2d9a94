/** Of several articles with one canonical URL readers are given the oldest: whose turn comes or goes is announced and logged. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { isOldestCanonical } from '../../../store/articles/find-for-readers.ts';
import { CHANGE_CHANNEL, EVERYTHING } from '../../../store/changes/announcements.ts';
import { listChanges } from '../../../store/changes/list-changes.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

const KEY = 'https://example.org/original';
const [ADA, BOB, EVE] = ['ada', 'bob', 'eve'];

let database: OpenTestDatabase;
let listener: pg.Client;
let announced: string[] = [];
before(async () => {
  database = await openTestDatabase();
  for (const name of [ADA, BOB, EVE]) {
    await sql`insert into users (username, name, email, password_hash) values (${name}, 'A', ${`${name}@example.org`}, '')`.execute(
      database.db,
    );
  }
  listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  listener.on('notification', ({ payload }) => announced.push(...(payload ?? '').split(' ')));
  await listener.query(`listen ${CHANGE_CHANNEL}`);
  for (const name of [ADA, BOB, EVE]) await publish(name as string, name as string);
});
after(async () => {
  await listener.end();
  await database.close();
});

async function publish(slug: string, username: string, count = 1, key = KEY): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into articles (author_id, slug, title, title_key, canonical_key, cross_post, status, source, body, derived, fingerprint, content_hash, published_at)
    select users.id, ${slug} || case when n > 1 then n::text else '' end, 'A', 'a', ${key}, '{}', 'PUBLISHED', '', '', '{}', '', '', now()
    from users, generate_series(1, ${count}::int) n where username = ${username} returning id`.execute(database.db);
  return rows[0]?.id ?? '';
}

async function findShown(): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`select articles.slug from articles join users on users.id = author_id
    where status = 'PUBLISHED' and suspended_at is null and ${isOldestCanonical} order by slug`.execute(database.db);
  return rows.map(({ slug }) => slug);
}

/** What is announced and logged for readers because of a change. */
async function observe(change: () => Promise<unknown>): Promise<{ announced: string[]; logged: string[] }> {
  const from = (await listChanges(database.db, { after: 0, limit: 1_000 })).at(-1)?.number ?? 0;
  announced = [];
  await change();
  // The server sends notifications before the answer to what is asked later.
  await listener.query('select 1');
  const changes = await listChanges(database.db, { after: from, limit: 1_000 });
  return {
    announced: [...announced],
    logged: changes.map((entry) => `${entry.slug} ${entry.change}${entry.isOldestCanonical ? ', shown' : ''}`),
  };
}

const suspend = (username: string, isSuspended: boolean) =>
  database.db
    .updateTable('users')
    .set({ suspendedAt: isSuspended ? new Date() : null })
    .where('username', '=', username)
    .execute();
const setStatus = (slug: string, status: 'PUBLISHED' | 'DRAFT') =>
  database.db.updateTable('articles').set({ status }).where('slug', '=', slug).execute();

test("a suspended author's older article hides nobody's: the next one is shown until the suspension ends", async () => {
  const bobs = await database.db
    .selectFrom('articles')
    .select('id')
    .where('slug', '=', 'bob')
    .executeTakeFirstOrThrow();
  assert.deepEqual(await findShown(), ['ada']);
  const begins = await observe(() => suspend('ada', true));
  assert.deepEqual(await findShown(), ['bob']);
  assert.ok(begins.announced.includes(`article:${bobs.id}`), begins.announced.join(' '));
  assert.deepEqual(begins.logged, ['ada withdrawn', 'bob changed, shown']);
  const ends = await observe(() => suspend('ada', false));
  assert.deepEqual(await findShown(), ['ada']);
  assert.ok(ends.announced.includes(`article:${bobs.id}`), ends.announced.join(' '));
  assert.deepEqual(ends.logged, ['ada added, shown', 'bob changed']);
});

test('where the oldest is withdrawn and published again, followers are told whose turn it is', async () => {
  await suspend('bob', true);
  assert.deepEqual((await observe(() => setStatus('ada', 'DRAFT'))).logged, ['ada withdrawn', 'eve changed, shown']);
  await suspend('bob', false);
  assert.deepEqual((await observe(() => setStatus('ada', 'PUBLISHED'))).logged, ['ada added, shown', 'bob changed']);
});

test('a change that makes nobody else the oldest names nobody else', async () => {
  const { announced: subjects, logged } = await observe(() => publish('alone', 'ada', 1, 'self:alone'));
  assert.deepEqual(logged, ['alone added, shown']);
  assert.equal(subjects.filter((subject) => subject.startsWith('article:')).length, 1);
});

test('where more share the canonical URL than an announcement can name, everything is announced', async () => {
  await sql`alter table articles disable trigger article_changed`.execute(database.db);
  await publish('crowd', 'eve', 400);
  await sql`alter table articles enable trigger article_changed`.execute(database.db);
  assert.deepEqual((await observe(() => setStatus('ada', 'DRAFT'))).announced, [EVERYTHING]);
  assert.deepEqual((await observe(() => suspend('bob', true))).announced, [EVERYTHING]);
});
