import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../../store/db/database.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { createDeveloperToken, findTokenOwner } from '../../../store/users/developer-tokens.ts';
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
