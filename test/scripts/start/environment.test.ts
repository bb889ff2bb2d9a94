/** The databases for tests are new, migrated and separate. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../support/environment.ts';

it('test databases that are created concurrently are migrated, empty and separate, and removed when dropped', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  assert.notEqual(one.url, two.url);
  assert.equal(await query(one.url, 'select count(*)::int as value from articles'), 0);
  await query(one.url, 'create table only_here (id int)');
  await assert.rejects(query(two.url, 'select 1 as value from only_here'), /does not exist/);
  await Promise.all([one.drop(), two.drop()]);
  await assert.rejects(query(one.url, 'select 1 as value'), /does not exist/);
});

async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query<{ value: unknown }>(sql);
    return rows[0]?.value;
  } finally {
    await client.end();
  }
}
