/** Exports and deletions of accounts with many articles. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { unzipSync } from 'fflate';
import { sql } from 'kysely';
import { markdown, startTestApi, type TestApi } from '../../../support/api/api.ts';
import { deleteAccountOf } from '../../../support/database/delete-account.ts';
import { eventually } from '../../../support/eventually.ts';

/** Ten pages of the database with code that does not compress, more than a connection buffers. */
const ARTICLES = 100;
const TEXT = `~~~\n${randomBytes(18_000).toString('base64').replace(/.{9}/g, '$& ')}\n`;

let api: TestApi;
let address: string;
before(async () => {
  api = await startTestApi();
  const { body } = await api.publish({ content: markdown({ title: 'The first' }, TEXT) });
  await copyArticle(body.data?.id ?? '', 2, ARTICLES);
  address = `${api.url}/account/export?token=${await api.sessions.issue('courant:export', api.author.id)}`;
});
after(() => api.close());

/** Copies an article with the numbers from `from` to `to` in its slug and title. */
function copyArticle(id: string, from: number, to: number) {
  return sql`insert into articles (author_id, slug, title, title_key, canonical_key, cross_post, status, source, body, derived, fingerprint, content_hash, published_at)
    select author_id, slug || n, title || n, title_key || n, 'self:' || slug || n, cross_post, status, source, body, derived, fingerprint, content_hash, published_at
    from articles, generate_series(${from}::int, ${to}::int) n where id = ${id}`.execute(api.db);
}

test('an archive contains all of many articles', async () => {
  const archive = new Uint8Array(await (await fetch(address)).arrayBuffer());
  const files = unzipSync(archive, { filter: ({ name }) => name.startsWith('articles/') });
  assert.equal(Object.keys(files).length, ARTICLES);
});

test('a client that disconnects during a download ends the export and releases the database connection', async () => {
  const abort = new AbortController();
  const response = await fetch(address, { signal: abort.signal });
  await response.body?.getReader().read();
  abort.abort();
  await eventually('the database to be idle', async () => {
    const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`.execute(api.db);
    return rows[0]?.count === 0;
  });
  const again = new AbortController();
  assert.equal((await fetch(address, { signal: again.signal })).status, 200);
  again.abort();
});

test('an account with many articles is deleted in one step', async () => {
  const { id } = api.author;
  await deleteAccountOf(api.db, id, new Date());
  const remaining = await api.db.selectFrom('articles').select('id').where('body', '<>', '').execute();
  assert.deepEqual(remaining, []);
});
