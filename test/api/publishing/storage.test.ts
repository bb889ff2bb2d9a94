import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { findFreePort } from '../../../scripts/start/ports.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';

const LIMIT = 1024 * 1024;
/** Bytes that each author has already stored, so that small documents reach the limit. */
const STORED = Math.floor(0.9 * LIMIT);

let api: TestApi;
before(async () => {
  const temporal = `127.0.0.1:${await findFreePort()}`;
  api = await startTestApi({ temporal, env: { STORAGE_PER_AUTHOR: '1' } });
});
after(() => api.close());

test('a document that would exceed the author’s storage gives 403 with the used bytes, and changes nothing (A43)', async () => {
  const author = await createAuthor('full');
  assert.equal((await publish(author, 'First', 60_000)).status, 201);
  const used = await readUsed(author);
  const refused = await publish(author, 'Second', 60_000, { 'idempotency-key': 'second' });
  assert.equal(refused.status, 403);
  assert.equal(refused.body.code, 'storage_full');
  assert.match(refused.body.detail ?? '', new RegExp(`use ${used} of ${LIMIT} bytes.*Delete or shorten`));
  assert.deepEqual(await listTitles(author), ['First']);
  assert.equal(await readUsed(author), used);
  // The key was released, and the limit is per author.
  assert.equal((await publish(author, 'Second', 10_000, { 'idempotency-key': 'third' })).status, 201);
  assert.equal((await publish(await createAuthor('empty'), 'Second', 60_000)).status, 201);
});

test('an update counts by its difference, and one that needs no more bytes is always accepted', async () => {
  const author = await createAuthor('shrinking');
  await publish(author, 'One', 50_000);
  await publish(author, 'Two', 50_000);
  assert.equal((await publish(author, 'Two', 56_000)).status, 403);
  // Simulates an operator who lowers the limit.
  await setStored(author, 10 * LIMIT);
  assert.equal((await publish(author, 'Two', 50_000)).status, 200);
  assert.equal((await publish(author, 'Two', 40_000)).status, 200);
  assert.equal((await publish(author, 'Two', 45_000)).status, 403);
  assert.equal(await readUsed(author), 10 * LIMIT - 10_000);
});

test('a deleted article frees its bytes, once', async () => {
  const author = await createAuthor('deleting');
  const { body } = await publish(author, 'Large', 90_000);
  assert.equal((await publish(author, 'Next', 30_000)).status, 403);
  const drop = 'mutation ($id: ID!) { deleteArticle(id: $id) { copies { destination } } }';
  for (let times = 0; times < 2; times++) await runGraphql(api, author.id, drop, { id: body.data?.id });
  assert.equal(await readUsed(author), STORED);
  assert.equal((await publish(author, 'Next', 30_000)).status, 201);
  assert.equal((await publish(author, 'Large', 60_000)).status, 200);
  assert.equal(await readUsed(author), STORED + (await sumSources(author)));
});

test('concurrent publishes do not exceed the storage together, and the count equals the stored bytes', async () => {
  const author = await createAuthor('at-once');
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => publish(author, `Part ${index % 6}`, 25_000 + index)),
  );
  assert.ok(answers.some(({ status }) => status === 403));
  const used = await readUsed(author);
  assert.equal(used, STORED + (await sumSources(author)));
  assert.ok(used <= LIMIT && used > LIMIT - 26_000, `${used}`);
});

async function createAuthor(username: string): Promise<TestAuthor> {
  const author = await api.createAuthor(username);
  await setStored(author, STORED);
  return author;
}

async function setStored({ id }: TestAuthor, storedBytes: number): Promise<void> {
  await api.db.updateTable('users').set({ storedBytes }).where('id', '=', id).execute();
}

function publish(author: TestAuthor, title: string, length: number, headers: Record<string, string> = {}) {
  // A code block, because parsing it is fast.
  const short = markdown({ title }, '~~~\n');
  const content = short + `${'word '.repeat(19)}word\n`.repeat(length / 100).slice(0, length - short.length);
  return api.publish({ content }, { token: author.token, headers });
}

async function readUsed({ id }: TestAuthor): Promise<number> {
  const { storedBytes } = await api.db
    .selectFrom('users')
    .select('storedBytes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return storedBytes;
}

async function sumSources({ id }: TestAuthor): Promise<number> {
  const { sum } = await api.db
    .selectFrom('articles')
    .select(sql<number>`sum(octet_length(source))::int`.as('sum'))
    .where('authorId', '=', id)
    .executeTakeFirstOrThrow();
  return sum;
}

async function listTitles({ id }: TestAuthor): Promise<string[]> {
  const rows = await api.db.selectFrom('articles').select('title').where('authorId', '=', id).execute();
  return rows.map(({ title }) => title);
}
