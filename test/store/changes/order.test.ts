/** The log of changes is ordered without gaps, and waits only for transactions that write it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { findChangeEpoch, listChanges } from '../../../store/changes/list-changes.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

const log = (db = database.db, count = 1) =>
  sql`insert into article_changes (article_id, author_id, slug, appeared)
    select gen_random_uuid(), gen_random_uuid(), 'a', true from generate_series(1, ${count}::int)`.execute(db);
const count = async () => (await listChanges(database.db, { after: 0, limit: 1_000 })).length;

test('an open transaction that has written other tables does not delay the log', async () => {
  const known = await count();
  await database.db.transaction().execute(async (forgotten) => {
    await sql`insert into slug_redirects (slug, article_id) select 'x', id from articles`.execute(forgotten);
    await sql`select pg_current_xact_id()`.execute(forgotten);
    await log();
    assert.equal(await count(), known + 1);
  });
});

test('a transaction that changed an article delays later changes until it ends', async () => {
  const known = await count();
  const { db } = database;
  await db.transaction().execute(async (slow) => {
    await log(db);
    await log(slow, 3);
    await log(slow);
    await log(db);
    assert.equal(await count(), known + 1, 'what came before it is told');
  });
  assert.equal(await count(), known + 6);
  const failed = db.transaction().execute(async (slow) => {
    await log(slow);
    throw new Error('rolled back');
  });
  await assert.rejects(failed);
  await log(db);
  assert.equal(await count(), known + 7);
});

test('rolling back to a savepoint removes its announcement, and the next change is announced again', async () => {
  const known = await count();
  await database.db.transaction().execute(async (slow) => {
    await sql`savepoint tried`.execute(slow);
    await log(slow);
    await sql`rollback to savepoint tried`.execute(slow);
    await log(slow);
    await log(database.db);
    assert.equal(await count(), known);
  });
  assert.equal(await count(), known + 2);
});

test('a follower receives each change once, however many transactions write at the same time', async () => {
  const { db } = database;
  const start = (await listChanges(db, { after: 0, limit: 1_000 })).at(-1)?.number ?? 0;
  const received: number[] = [];
  let isWriting = true;
  const write = async () => {
    for (let n = 0; n < 25; n += 1) {
      await db.transaction().execute(async (tx) => {
        await log(tx);
        if (n % 3 === 0) await sql`select pg_sleep(random() * 0.01)`.execute(tx);
        await log(tx, 2);
      });
    }
  };
  const follow = async () => {
    for (let last = false; !last; ) {
      last = !isWriting;
      const changes = await listChanges(db, { after: received.at(-1) ?? start, limit: 7 });
      received.push(...changes.map(({ number }) => number));
      if (changes.length > 0) last = false;
    }
  };
  const following = follow();
  await Promise.all(Array.from({ length: 5 }, write));
  isWriting = false;
  await following;
  assert.equal(received.length, 5 * 25 * 3);
  assert.equal(new Set(received).size, received.length);
});

test('two readers that detect another history at once start one epoch together', async () => {
  const { db } = database;
  await sql`update change_epoch set history = 'another cluster'`.execute(db);
  const pending = await db.transaction().execute(async (held) => {
    await sql`lock table article_changes in share mode`.execute(held);
    const both = Promise.all([findChangeEpoch(db), findChangeEpoch(db)]);
    await waitForLock(db, 2);
    return { both };
  });
  const [one, other] = await pending.both;
  assert.equal(one, other);
  assert.equal(await findChangeEpoch(db), one);
});
