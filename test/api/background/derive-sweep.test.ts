/** The sweep of texts that are not derived: which instance runs it, and what has priority. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { computeRestMs, createDeriveSweep, createDerivingPool, startDeriver } from '../../../api/background/deriver.ts';
import { DERIVED_VERSION } from '../../../article/derived-version.ts';
import type { Database } from '../../../store/db/database.ts';
import { acquireLease } from '../../../store/leases/lease.ts';
import { hasDueWork } from '../../../store/outbox/lease.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';

const NONE = new Set<string>();

let server: OpenTestDatabase;
let db: Database;
before(async () => {
  server = await openTestDatabase();
  db = server.db;
  await sql`insert into users (username, name, email, password_hash) values ('ada', 'Ada', 'ada@example.org', 'x')`.execute(
    db,
  );
});
after(() => server.close());
beforeEach(async () => {
  for (const table of ['outbox', 'articles', 'leases'] as const) await db.deleteFrom(table).execute();
});

test('one instance sweeps at a time; another continues after it stops or its lease expires', async () => {
  const ids = [await insertArticle(), await insertArticle()];
  const [one, other] = [createDeriveSweep(db), createDeriveSweep(db)];
  const first = await one.next(NONE);
  assert.equal(await other.next(NONE), null);
  assert.deepEqual([first, await one.next(NONE)].toSorted(), ids.toSorted());
  await one.release();
  assert.ok(ids.includes((await other.next(NONE)) ?? ''));
  assert.equal(await createDeriveSweep(db).next(NONE), null);
  await sql`update leases set leased_until = now() - interval '1 second'`.execute(db);
  assert.ok(await createDeriveSweep(db).next(NONE));
});

test('a sweep without further texts releases its lease', async () => {
  const one = createDeriveSweep(db);
  assert.equal(await one.next(NONE), null);
  const late = await insertArticle();
  assert.equal(await createDeriveSweep(db).next(new Set([late])), null);
  assert.equal(await createDeriveSweep(db).next(NONE), late);
});

test('only the holder of a lease can renew it', async () => {
  const [one, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  assert.equal(await acquireLease(db, { work: 'x', holder: one }, 60_000), true);
  assert.equal(await acquireLease(db, { work: 'x', holder: one }, 60_000), true);
  assert.equal(await acquireLease(db, { work: 'x', holder: other }, 60_000), false);
  assert.equal(await acquireLease(db, { work: 'y', holder: other }, 60_000), true);
});

test('unleased outbox rows and schedules near their time are due; leased rows and long overdue schedules are not', async () => {
  const id = await insertArticle({ dueIn: '1 hour' });
  assert.equal(await hasDueWork(db), false);
  for (const [interval, isDue] of [
    ['2 seconds', true],
    ['-1 minute', true],
    ['-1 day', false],
  ] as const) {
    await sql`update articles set scheduled_at = now() + ${interval}::interval`.execute(db);
    assert.equal(await hasDueWork(db), isDue, interval);
  }
  await db.insertInto('outbox').values({ articleId: id }).execute();
  assert.equal(await hasDueWork(db), true);
  await sql`update outbox set leased_until = now() + interval '30 seconds'`.execute(db);
  assert.equal(await hasDueWork(db), false);
});

test('while something is due, new articles are derived and articles of older versions wait', async (t) => {
  const [old, fresh] = [await insertArticle(), await insertArticle()];
  await db.insertInto('outbox').values({ articleId: old }).execute();
  const deriver = startDeriver({
    db,
    documents: createDerivingPool(),
    log: pino({ level: 'silent' }),
    baseUrl: 'https://courant.example',
  });
  t.after(() => deriver.stop());
  deriver.nudge(fresh);
  await eventually('the new one', async () => (await readVersion(fresh)) === DERIVED_VERSION, { withinMs: 90_000 });
  assert.equal(await readVersion(old), 1);
  await db.deleteFrom('outbox').execute();
  await eventually('the old one', async () => (await readVersion(old)) === DERIVED_VERSION, { withinMs: 90_000 });
});

test('a sweep uses a fifth of the time and pauses 10 s at most', () => {
  assert.equal(computeRestMs(10), 40);
  assert.equal(computeRestMs(0), 0);
  assert.equal(computeRestMs(60_000), 10_000);
});

/** Inserts an article derived by version 1 of the renderer; scheduled if `dueIn` is set. */
async function insertArticle({ dueIn = null }: { dueIn?: string | null } = {}): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into articles (author_id, slug, title, title_key, canonical_key, status, source, body, derived, derived_version, content_hash,
      fingerprint, cross_post, published_at, scheduled_at)
    select users.id, key, 'T', 't', key, case when at is null then 'PUBLISHED' else 'SCHEDULED' end, '', 'Text.', '{"excerpt": "Text."}', 1, '',
      '', '{}', now(), at
    from users, (select gen_random_uuid()::text as key, now() + ${dueIn}::interval as at) given returning id`.execute(
    db,
  );
  return rows[0]?.id ?? assert.fail('no row');
}

async function readVersion(id: string): Promise<number> {
  const row = await db.selectFrom('articles').select('derivedVersion').where('id', '=', id).executeTakeFirstOrThrow();
  return row.derivedVersion;
}
