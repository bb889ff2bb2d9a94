import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../../store/db/database.ts';
import { countHit } from '../../../store/rate-limits/counters.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

test('hits are counted exactly, however many come at once, and start again with the next window', async () => {
  const counts = await Promise.all(Array.from({ length: 30 }, () => countHit(db, 'bucket', 60_000)));
  assert.deepEqual(
    counts.map(({ current }) => current).sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, n) => n + 1),
  );
  await countHit(db, 'short', 50);
  await new Promise((resolve) => setTimeout(resolve, 80));
  assert.equal((await countHit(db, 'short', 50)).current, 1);
});
