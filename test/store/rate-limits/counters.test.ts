/** Rate limit counters in fixed windows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../../store/db/database.ts';
import { countHit, revertHit } from '../../../store/rate-limits/counters.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

test('simultaneous hits are counted exactly, and start again in the next window', async () => {
  const counts = await Promise.all(Array.from({ length: 30 }, () => countHit(db, 'bucket', 60_000)));
  assert.deepEqual(
    counts.map(({ current }) => current).sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, n) => n + 1),
  );
  await countHit(db, 'short', 50);
  await new Promise((resolve) => setTimeout(resolve, 80));
  assert.equal((await countHit(db, 'short', 50)).current, 1);
});

test('a window ends as set by its first hit', async () => {
  const { ttl } = await countHit(db, 'full', 60_000);
  assert.ok((await countHit(db, 'full', 600_000)).ttl <= ttl);
});

test('a hit is reverted once, and never more than were counted', async () => {
  await countHit(db, 'given', 60_000);
  for (let n = 0; n < 3; n++) await revertHit(db, 'given');
  assert.equal((await countHit(db, 'given', 60_000)).current, 1);
});
