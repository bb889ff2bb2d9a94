import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { connectDestination } from '../../../store/connections/connect.ts';
import { blockConnection, reserveSlot } from '../../../store/connections/rate-slots.ts';
import type { Database } from '../../../store/db/database.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
let userId: string;
const sealer = createSealer(randomBytes(32));
const now = new Date();
before(async () => {
  database = await openTestDatabase();
  db = database.db;
  userId = (await createUser(db, { username: 'ada', name: 'A', email: 'Ada@Example.org', passwordHash: 'x', now })).id;
});
after(() => database.close());

test('an account’s rate slots: a burst at once, then one per interval, for all callers', async () => {
  const { id } = await connectDestination(db, sealer, {
    userId,
    destination: 'blogsite_b',
    platform: 'hashnode',
    baseUrl: 'https://example.org',
    credentials: {},
    now,
  });
  const pacing = { intervalMs: 10_000, burst: 3 };
  const waits = await Promise.all(Array.from({ length: 5 }, () => reserveSlot(db, id, pacing)));
  const sorted = waits.sort((a, b) => a - b);
  assert.deepEqual(sorted.slice(0, 3), [0, 0, 0]);
  // Each waiting caller has its own moment.
  for (const [index, wait] of sorted.slice(3).entries()) {
    assert.ok(wait > index * 10_000 + 9_000 && wait <= (index + 1) * 10_000, String(wait));
  }

  await blockConnection(db, id, 60_000);
  const blocked = await reserveSlot(db, id, { intervalMs: 1, burst: 1 });
  assert.ok(blocked > 58_000 && blocked <= 60_000, String(blocked));
});

test('the slot of a connection that is gone is now, since the plan will notice', async () => {
  assert.equal(await reserveSlot(db, '00000000-0000-0000-0000-000000000000', { intervalMs: 1000, burst: 1 }), 0);
});
