import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { connectDestination } from '../../../store/connections/connect.ts';
import { openConnection } from '../../../store/connections/credentials.ts';
import { blockConnection, reserveSlot } from '../../../store/connections/rate-slots.ts';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { migrateToLatest } from '../../../store/db/migrate.ts';
import { countHit } from '../../../store/rate-limits/counters.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { createDeveloperToken, findTokenOwner, TOKEN_PATTERN } from '../../../store/users/developer-tokens.ts';
import { hashPassword, verifyPassword } from '../../../store/users/passwords.ts';
import { createTestDatabase, type TestDatabase } from '../../support/environment.ts';

let database: TestDatabase;
let db: Database;
let userId: string;
const sealer = createSealer(randomBytes(32));
const now = new Date();

before(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
  userId = (await createUser(db, { username: 'ada', name: 'A', email: 'Ada@Example.org', passwordHash: 'x', now })).id;
});
after(async () => {
  await db.destroy();
  await database.drop();
});

test('migrations run once, also when several processes start at the same time', async () => {
  const results = await Promise.all([1, 2, 3].map(() => migrateToLatest(database.url)));
  assert.deepEqual(results.flat(), []);
});

test('A26: a dump holds no usable token, password or credential', async () => {
  const { token } = await createDeveloperToken(db, { userId, name: 'dumped', now });
  assert.match(token, TOKEN_PATTERN);
  const credentials = { apiKey: 'a-secret-api-key' };
  const { id } = await connectDestination(db, sealer, {
    userId,
    destination: 'blogsite_a',
    platform: 'forem',
    baseUrl: 'https://dev.to/api',
    credentials,
    now,
  });
  const dump = await sql<{ dump: string }>`select string_agg(t::text, ' ') as dump from (
    select row_to_json(d)::text as t from developer_tokens d union all select row_to_json(c)::text from connections c
  ) rows`.execute(db);
  const text = dump.rows[0]?.dump ?? '';
  for (const secret of [token, token.slice(8), credentials.apiKey, Buffer.from(credentials.apiKey).toString('hex')]) {
    assert.ok(!text.includes(secret));
  }
  assert.deepEqual((await openConnection(db, sealer, id))?.credentials, credentials);
});

test('a token finds its owner until it expires', async () => {
  const expiresAt = new Date(now.getTime() + 1000);
  const { token } = await createDeveloperToken(db, { userId, name: 'short', expiresAt, now });
  assert.equal((await findTokenOwner(db, token, now))?.userId, userId);
  assert.equal(await findTokenOwner(db, token, expiresAt), null);
  assert.equal(await findTokenOwner(db, `courant_${'0'.repeat(48)}`, now), null);
});

test('passwords are argon2id, and nobody’s password is verified like somebody’s', async () => {
  const hash = await hashPassword('correct horse');
  assert.match(hash, /^\$argon2id\$/);
  assert.equal(await verifyPassword(hash, 'correct horse'), true);
  assert.equal(await verifyPassword(hash, 'wrong'), false);
  assert.equal(await verifyPassword(null, 'correct horse'), false);
  await assert.rejects(hashPassword('x'.repeat(1025)));
});

test('hits are counted exactly, however many come at once, and a window ends', async () => {
  const counts = await Promise.all(Array.from({ length: 30 }, () => countHit(db, 'bucket', 60_000)));
  assert.deepEqual(
    counts.map(({ current }) => current).sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, n) => n + 1),
  );
  await countHit(db, 'short', 50);
  await new Promise((resolve) => setTimeout(resolve, 80));
  assert.equal((await countHit(db, 'short', 50)).current, 1);
});

test('an account’s turns: a burst at once, then one an interval, whoever asks', async () => {
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
  // Each who waits has a moment of its own.
  for (const [index, wait] of sorted.slice(3).entries()) {
    assert.ok(wait > index * 10_000 + 9_000 && wait <= (index + 1) * 10_000, String(wait));
  }

  await blockConnection(db, id, 60_000);
  const blocked = await reserveSlot(db, id, { intervalMs: 1, burst: 1 });
  assert.ok(blocked > 58_000 && blocked <= 60_000, String(blocked));
});

test('the turn of a connection that is gone is now: the plan finds out', async () => {
  assert.equal(await reserveSlot(db, '00000000-0000-0000-0000-000000000000', { intervalMs: 1000, burst: 1 }), 0);
});
