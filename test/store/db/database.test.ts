import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { connectDestination } from '../../../store/connections/connect.ts';
import { openConnection } from '../../../store/connections/credentials.ts';
import type { Database } from '../../../store/db/database.ts';
import { migrateToLatest } from '../../../store/db/migrate.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { createDeveloperToken, TOKEN_PATTERN } from '../../../store/users/developer-tokens.ts';
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

test('migrations run once, also when several processes start at the same time', async () => {
  const results = await Promise.all([1, 2, 3].map(() => migrateToLatest(database.url)));
  assert.deepEqual(results.flat(), []);
});

test('a dump contains no usable token, password or credential (A26)', async () => {
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
