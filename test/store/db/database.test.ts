/** Migrations, the contents of a dump, and the session state of connections. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { connectDestination } from '../../../store/connections/connect.ts';
import { openConnection } from '../../../store/connections/credentials.ts';
import { type Database, openDatabase } from '../../../store/db/database.ts';
import { migrateToLatest } from '../../../store/db/migrate.ts';
import { prepare } from '../../../store/db/prepared.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { createDeveloperToken, TOKEN_PATTERN } from '../../../store/tokens/developer-tokens.ts';
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

test('migrations run once, even if several processes start at the same time', async () => {
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
    account: { identity: '1', name: '@ada' },
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

test('behind a pooler no session state is used: no prepared statement, no time-out of the connection', async () => {
  const inspectSession = async (pooled: boolean) => {
    const one = openDatabase(database.url, { maxConnections: 1, pooled });
    try {
      await one.executeQuery(prepare('left', sql`select 1`.compile(one)));
      const { rows } = await sql<{
        prepared: number;
        limit: string;
      }>`select current_setting('statement_timeout') as limit,
        (select count(*)::int from pg_prepared_statements where name like 'left%') as prepared`.execute(one);
      return rows[0];
    } finally {
      await one.destroy();
    }
  };
  assert.deepEqual(await inspectSession(true), { prepared: 0, limit: '0' });
  assert.deepEqual(await inspectSession(false), { prepared: 1, limit: '12s' });
});
