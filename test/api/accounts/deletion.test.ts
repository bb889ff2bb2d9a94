/** Deletion of an account: which rows are deleted and which remain. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { DELETED_ROWS, OTHER_ROWS } from '../../../store/users/delete-account.ts';
import { startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { countRows, createAuthor, fill, publish, remove } from './support/leavers.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

test('a deletion handles every column that refers to a user', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.conrelid::regclass || '.' || a.attname as name from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1`.execute(api.db);
  const known = [...DELETED_ROWS, ...OTHER_ROWS].map(([table, column]) => `${table}.${column}`);
  assert.deepEqual(
    rows.map(({ name }) => name),
    known.toSorted(),
    'say in store/users/delete-account.ts what becomes of it',
  );
});

test('a deletion erases the user’s data and keeps comments, copies and rows of other users', async () => {
  const [author, other] = [await createAuthor(api, 'leaver'), await createAuthor(api, 'stayer')];
  await publish(api, other, { title: 'Of the one who stays' });
  const articleId = await fill(api, author, other);
  await api.db.updateTable('users').set({ isOperator: true }).where('id', '=', author.id).execute();
  for (const [table, column] of [...DELETED_ROWS, ...OTHER_ROWS]) {
    assert.ok((await countRows(api, table, column, author.id)) > 0, `${table}.${column} is filled`);
  }
  assert.equal((await remove(api, author)).data.deleteAccount, true);
  for (const [table, column] of DELETED_ROWS)
    assert.equal(await countRows(api, table, column, author.id), 0, `${table}.${column}`);
  assert.equal(await countRows(api, 'connections', 'user_id', author.id), 0);
  assert.equal(await countRows(api, 'comments', 'user_id', author.id), 0);
  const comment = await api.db.selectFrom('comments').select(['userId', 'body']).executeTakeFirstOrThrow();
  assert.deepEqual(comment, { userId: null, body: 'What I said' });
  assert.equal((await fetch(`${api.url}/of-leaver`)).status, 410);
  assert.equal((await fetch(`${api.url}/authors/leaver`)).status, 404);
  assert.equal((await runGraphql(api, null, '{ user(username: "leaver") { name } }')).data.user, null);
  // The ledger still contains the copy.
  const copies = api.db.selectFrom('copies').select(['remoteUrl', 'presence']).where('articleId', '=', articleId);
  assert.deepEqual(await copies.execute(), [{ remoteUrl: 'https://forem.example/7', presence: 'live' }]);
  const role = api.db.selectFrom('users').select('isOperator').where('id', '=', author.id);
  assert.deepEqual(await role.execute(), [{ isOperator: false }]);
  const everything = await readRowsOf(author);
  for (const text of [
    'A public secret',
    'first paragraph',
    'bio of theirs',
    'leaver@example.org',
    'Author leaver',
    '@theirs',
    'https://example.org',
  ]) {
    assert.ok(!everything.includes(text), text);
  }
  assert.equal((await runGraphql(api, other.id, '{ me { articleCount } }')).data.me.articleCount, 1);
});

async function readRowsOf({ id }: TestAuthor): Promise<string> {
  const { rows } = await sql<{ row: string }>`
    select u::text as row from users u where id = ${id}
    union all select a::text from articles a where author_id = ${id}
    union all select k::text from accounts k where user_id = ${id}
    union all select d::text from deliveries d join articles a on a.id = d.article_id where author_id = ${id}`.execute(
    api.db,
  );
  return rows.map(({ row }) => row).join('\n');
}
