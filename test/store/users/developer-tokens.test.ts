import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { createDeveloperToken, findTokenOwner } from '../../../store/users/developer-tokens.ts';
import { createTestDatabase, type TestDatabase } from '../../support/environment.ts';

let database: TestDatabase;
let db: Database;
let userId: string;
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

test('a token finds its owner until it expires', async () => {
  const expiresAt = new Date(now.getTime() + 1000);
  const { token } = await createDeveloperToken(db, { userId, name: 'short', expiresAt, now });
  assert.equal((await findTokenOwner(db, token, now))?.userId, userId);
  assert.equal(await findTokenOwner(db, token, expiresAt), null);
  assert.equal(await findTokenOwner(db, `courant_${'0'.repeat(48)}`, now), null);
});
