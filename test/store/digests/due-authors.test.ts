/** The pages of authors with a due digest, and the rows that reading them costs. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../../store/db/database.ts';
import { buildDueAuthorsQuery, listDueAuthors } from '../../../store/digests/due-authors.ts';
import { readPlan } from '../../support/database/query-plan.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
  await sql`insert into users (username, name, email, password_hash)
    select 'u' || n, 'U', 'u' || n || '@example.org', 'x' from generate_series(1, 5000) n`.execute(db);
  await sql`update digest_settings set next_due_at = timestamptz '2026-11-23 08:00Z' + make_interval(hours => 1 + (random() * 1000)::int)`.execute(
    db,
  );
  await sql`update digest_settings set next_due_at = '2026-11-23 08:00Z' where user_id in (select id from users limit 30)`.execute(
    db,
  );
  await sql`analyze`.execute(db);
});
after(() => database.close());

test('the sweep reads only the settings of authors who are due', async () => {
  const until = new Date('2026-11-23T08:00:00Z');
  assert.equal(await settingsRead({ until, after: null, limit: 100 }), 30);
  const { rows } = await buildDueAuthorsQuery({ until, after: null, limit: 100 }).execute(db);
  assert.equal(rows.length, 30);
});

test('each page begins where the previous one ended', async () => {
  const until = new Date('2026-11-23T08:00:00Z');
  const { rows } = await buildDueAuthorsQuery({ until, after: null, limit: 20 }).execute(db);
  const last = rows.at(-1) ?? assert.fail();
  const cursor = { dueAt: last.dueAt.toISOString(), userId: last.userId };
  assert.equal(await settingsRead({ until, after: cursor, limit: 20 }), 10);
});

test('due moments with fractions of a millisecond, written by hand, are listed once', async () => {
  await sql`update digest_settings set next_due_at = '2026-11-22 08:00:00.123456Z' where user_id in (select id from users limit 3)`.execute(
    db,
  );
  const until = new Date('2026-11-22T09:00:00Z');
  const [last] = await listDueAuthors(db, { until, after: null, limit: 1 });
  assert.ok(last);
  const cursor = { dueAt: last.dueAt.toISOString(), userId: last.userId };
  assert.equal((await listDueAuthors(db, { until, after: cursor, limit: 100 })).length, 2);
});

/** Rows of `digest_settings` that were read, all by the index. */
async function settingsRead(page: Parameters<typeof buildDueAuthorsQuery>[0]): Promise<number> {
  const plan = await readPlan(db, buildDueAuthorsQuery(page));
  assert.ok(plan.some((node) => node.index === 'digest_settings_due_idx'));
  const tables = plan.filter((node) => node.relation !== null);
  assert.deepEqual(new Set(tables.map((node) => node.relation)), new Set(['digest_settings', 'users']));
  assert.ok(tables.every((node) => node.kind !== 'Seq Scan'));
  const reads = tables.filter((node) => node.relation === 'digest_settings');
  return reads.reduce((total, node) => total + node.rowsRead, 0);
}
