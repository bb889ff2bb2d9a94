/** The deletion of expired rows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../../store/db/database.ts';
import { EXPIRING_TABLES, type ExpiringTable, sweepExpired } from '../../../store/operation/sweep-expired.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

test('one sweep deletes all expired rows, however many there are, and no others', async () => {
  await sql`insert into rate_counters (bucket, count, resets_at)
    select 'expired:' || n, 1, now() - interval '1 hour' from generate_series(1, 2500) n`.execute(db);
  await sql`insert into rate_counters (bucket, count, resets_at) values ('current', 1, now() + interval '1 hour')`.execute(
    db,
  );
  await sweepExpired(db, 'rate_counters', new Date());
  assert.deepEqual(await db.selectFrom('rateCounters').select('bucket').execute(), [{ bucket: 'current' }]);
});

test('a sweep finds expired rows by an index', async () => {
  // Counters live for minutes, so their table is small.
  const tables = (Object.keys(EXPIRING_TABLES) as ExpiringTable[]).filter((table) => table !== 'rate_counters');
  for (const table of tables) {
    await db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      await sweepExpired(tx, table, new Date());
      const { rows } = await sql<{ seqScan: number }>`
        select seq_scan from pg_stat_xact_user_tables where relid = ${table}::regclass`.execute(tx);
      assert.equal(Number(rows[0]?.seqScan), 0, table);
    });
  }
});
