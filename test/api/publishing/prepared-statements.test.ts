/** Tests prepared statements that become invalid on their connection while the API runs. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const publish = async (title: string) => (await api.publish({ content: markdown({ title }) })).status;
/** More concurrent publishes than connections, so that each connection prepares all statements. */
const publishMany = (name: string) => Promise.all(Array.from({ length: 25 }, (_, n) => publish(`${name} ${n}`)));
const all = Array<number>(25).fill(201);

test('no publish fails when a migration changes a column type while the API runs', async () => {
  assert.deepEqual(await publishMany('Before'), all);
  await sql`alter table articles alter column given_slug type varchar(1000)`.execute(api.db);
  // Like a real migration, drops the trigger that names the column.
  await sql`drop trigger announce_update_at_desk on users`.execute(api.db);
  await sql`alter table users alter column username type varchar(1000)`.execute(api.db);
  assert.deepEqual(await publishMany('After'), all);
});

test('no publish fails when a connection pooler discards prepared statements', async () => {
  assert.deepEqual(await publishMany('Remembered'), all);
  const forget = () => sql`deallocate all`.execute(api.db);
  await Promise.all(Array.from({ length: 25 }, forget));
  assert.deepEqual(await publishMany('Forgotten'), all);
});

test('publishes that were retried internally store nothing twice', async () => {
  const { rows } = await sql<{ title: string }>`select title from articles group by title having count(*) > 1`.execute(
    api.db,
  );
  assert.deepEqual(rows, []);
});
