/** Developer tokens: owner, uses, expiry and revocation. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../../store/db/database.ts';
import {
  createDeveloperToken,
  findTokenOwner,
  revokeDeveloperToken,
  useToken,
} from '../../../store/tokens/developer-tokens.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';

let database: OpenTestDatabase;
let db: Database;
let userId: string;
const now = new Date();
before(async () => {
  database = await openTestDatabase();
  db = database.db;
  userId = (await createUser(db, { username: 'ada', name: 'A', email: 'Ada@Example.org', passwordHash: 'x', now })).id;
});
after(() => database.close());

test('a token finds its owner until it expires', async () => {
  const expiresAt = new Date(now.getTime() + 1000);
  const { token } = await createDeveloperToken(db, { userId, name: 'short', expiresAt, now });
  assert.equal((await findTokenOwner(db, token, now))?.userId, userId);
  assert.equal(await findTokenOwner(db, token, expiresAt), null);
  assert.equal(await findTokenOwner(db, `courant_${'0'.repeat(48)}`, now), null);
});

test('each use of a token is counted, even simultaneous ones, and the latest is recorded', async () => {
  const { id, token } = await createDeveloperToken(db, { userId, name: 'used', now });
  const uses = await Promise.all(Array.from({ length: 20 }, () => useToken(db, token, { now, windowMs: 60_000 })));
  const counts = uses.map((use) => use?.uses.current ?? 0).sort((a, b) => a - b);
  assert.deepEqual(
    counts,
    Array.from({ length: 20 }, (_, n) => n + 1),
  );
  assert.ok(uses.every((use) => use?.userId === userId && use.uses.ttl > 0 && use.uses.ttl <= 60_000));
  const row = await db.selectFrom('developerTokens').select('lastUsedAt').where('id', '=', id).executeTakeFirst();
  assert.deepEqual(row?.lastUsedAt, now);
});

test('an unknown, expired or revoked token is rejected and creates no counter', async () => {
  const expiresAt = new Date(now.getTime() + 1000);
  const expired = await createDeveloperToken(db, { userId, name: 'expired', expiresAt, now });
  const revoked = await createDeveloperToken(db, { userId, name: 'revoked', now });
  assert.equal(await revokeDeveloperToken(db, { userId, tokenId: revoked.id, now }), true);
  for (const token of [expired.token, revoked.token, `courant_${'0'.repeat(48)}`]) {
    assert.equal(await useToken(db, token, { now: expiresAt, windowMs: 60_000 }), null);
  }
  const buckets = [expired.id, revoked.id].map((id) => `publish:${id}`);
  const counters = await db.selectFrom('rateCounters').select('bucket').where('bucket', 'in', buckets).execute();
  assert.deepEqual(counters, []);
});
