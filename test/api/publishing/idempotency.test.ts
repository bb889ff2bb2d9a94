import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { claimKey, hashRequest } from '../../../store/articles/publish/idempotency.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { waitForLock } from '../../support/database/locks.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

test('a repeat with the same key gets the first response, 201 and Location included (F5)', async () => {
  const content = markdown({ title: 'Keyed' });
  const first = await api.publish({ content }, keyed('k-1'));
  const second = await api.publish({ content }, keyed('k-1'));
  assert.equal(first.status, 201);
  assert.equal(second.status, 201);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers.get('location'), first.headers.get('location'));
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
});

test('the same key with another body gives 422', async () => {
  await api.publish({ content: markdown({ title: 'Keyed A' }) }, keyed('k-2'));
  const answer = await api.publish({ content: markdown({ title: 'Keyed B' }) }, keyed('k-2'));
  assert.equal(answer.status, 422);
  assert.equal(answer.body.code, 'idempotency_key_reused');
});

test('a key whose request is still in progress gives 409', async () => {
  const content = markdown({ title: 'Slow' });
  const requestHash = hashRequest([content, JSON.stringify({ platforms: {} })]);
  await claimKey(api.db, { userId: api.author.id, key: 'k-3', requestHash }, new Date());
  const answer = await api.publish({ content }, keyed('k-3'));
  assert.equal(answer.status, 409);
  assert.equal(answer.headers.get('retry-after'), '1');
});

test('an abandoned claim expires', async () => {
  const content = markdown({ title: 'Abandoned' });
  const requestHash = hashRequest([content, JSON.stringify({ platforms: {} })]);
  await claimKey(api.db, { userId: api.author.id, key: 'k-4', requestHash }, new Date(Date.now() - 60_000));
  assert.equal((await api.publish({ content }, keyed('k-4'))).status, 201);
});

test('a failed request releases its key', async () => {
  const failed = await api.publish({ content: 'no title at all' }, keyed('k-5'));
  assert.equal(failed.status, 422);
  assert.equal((await api.publish({ content: markdown({ title: 'Fixed' }) }, keyed('k-5'))).status, 201);
});

test('a key is valid for 24 hours and for one user', async () => {
  const content = markdown({ title: 'Old key' });
  await api.publish({ content }, keyed('k-6'));
  const other = await api.createAuthor('other-key-holder');
  const theirs = await api.publish({ content: markdown({ title: 'Theirs' }) }, { token: other.token, ...keyed('k-6') });
  assert.equal(theirs.status, 201);
  await api.db
    .updateTable('idempotencyKeys')
    .set({ createdAt: new Date(Date.now() - 25 * 60 * 60 * 1000) })
    .where('key', '=', 'k-6')
    .where('userId', '=', api.author.id)
    .execute();
  assert.equal((await api.publish({ content }, keyed('k-6'))).status, 200);
});

test('a stored response remains valid after the claim’s lock time', async () => {
  const content = markdown({ title: 'Kept for long' });
  await api.publish({ content }, keyed('k-long'));
  await api.db
    .updateTable('idempotencyKeys')
    .set({ lockedUntil: new Date(Date.now() - 60_000) })
    .where('key', '=', 'k-long')
    .execute();
  assert.equal((await api.publish({ content }, keyed('k-long'))).headers.get('idempotency-replayed'), 'true');
});

test('a malformed key gives 400', async () => {
  assert.equal((await api.publish({ content: '# x' }, keyed('a b'))).status, 400);
  assert.equal((await api.publish({ content: '# x' }, keyed('x'.repeat(256)))).status, 400);
});

test('ten concurrent requests with one key create one article, and get the same response or 409', async () => {
  const content = markdown({ title: 'Ten with one key' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => api.publish({ content }, keyed('k-7'))));
  assert.ok(answers.every(({ status }) => status === 201 || status === 409));
  assert.equal(new Set(answers.filter((a) => a.status === 201).map((a) => a.body.data?.id)).size, 1);
});

test('the stored response equals the first response, also if the requested slug was taken meanwhile', async () => {
  const authors = await Promise.all(['keeper-one', 'keeper-two', 'keeper-three'].map((name) => api.createAuthor(name)));
  const content = markdown({ title: 'Kept at its slug', slug: 'kept-at-its-slug' });
  const sendRequest = () =>
    Promise.all(authors.map(({ token }) => api.publish({ content }, { token, ...keyed('k-slug') })));
  const [first, repeated] = [await sendRequest(), await sendRequest()];
  assert.deepEqual(
    first.map(({ status }) => status),
    [201, 201, 201],
  );
  assert.ok(repeated.every(({ headers }) => headers.get('idempotency-replayed') === 'true'));
  assert.deepEqual(
    repeated.map(({ body }) => body),
    first.map(({ body }) => body),
  );
  for (const { body } of first) {
    const { id = '', slug } = body.data ?? {};
    const row = await api.db.selectFrom('articles').select('slug').where('id', '=', id).executeTakeFirst();
    assert.equal(row?.slug, slug);
  }
});

test('the response to an update is stored, too', async () => {
  await api.publish({ content: markdown({ title: 'Kept update' }, 'First.\n') });
  const content = markdown({ title: 'Kept update' }, 'Second.\n');
  const first = await api.publish({ content }, keyed('k-up'));
  const repeated = await api.publish({ content }, keyed('k-up'));
  assert.equal(first.status, 200);
  assert.equal(repeated.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(repeated.body, first.body);
});

/** Locks the author's row, so that publishes begin their transaction and wait in it. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  await api.db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${api.author.id} for no key update`.execute(tx);
    await work();
  });
}

const expireClaim = (key: string) =>
  api.db
    .updateTable('idempotencyKeys')
    .set({ lockedUntil: new Date(Date.now() - 1) })
    .where('key', '=', key)
    .execute();

test('a waiting request that loses its key to another body changes nothing, and the other response is stored', async () => {
  const [late, taker] = ['Late by its claim', 'Takes the claim'].map((title) => ({ content: markdown({ title }) }));
  const answers: ReturnType<typeof api.publish>[] = [];
  await whileLocked(async () => {
    answers.push(api.publish(late, keyed('k-lost')));
    await waitForLock(api.db);
    await expireClaim('k-lost');
    answers.push(api.publish(taker, keyed('k-lost')));
    await waitForLock(api.db, 2);
  });
  const [lost, accepted] = await Promise.all(answers);
  assert.equal(lost?.status, 409);
  assert.equal(lost?.body.code, 'idempotency_key_in_progress');
  assert.equal(lost?.headers.get('retry-after'), '1');
  assert.equal(accepted?.status, 201);
  const again = await api.publish(taker, keyed('k-lost'));
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(again.body, accepted?.body);
  const titles = await api.db.selectFrom('articles').select('title').where('title', 'like', '% claim').execute();
  assert.deepEqual(titles, [{ title: 'Takes the claim' }]);
});

test('a failed request whose key was taken over does not release the other claim', async () => {
  const content = markdown({ title: 'Waits for its turn' });
  const answers: ReturnType<typeof api.publish>[] = [];
  await whileLocked(async () => {
    answers.push(api.publish({ content }, keyed('k-turn')));
    await waitForLock(api.db);
    await expireClaim('k-turn');
    answers.push(api.publish({ content }, keyed('k-turn')));
    await waitForLock(api.db, 2);
    // The first request no longer holds the claim.
    const third = await api.publish({ content }, keyed('k-turn'));
    assert.equal(third.status, 409);
  });
  const [first, second] = await Promise.all(answers);
  assert.deepEqual([first?.status, second?.status], [409, 201]);
  assert.equal((await api.publish({ content }, keyed('k-turn'))).headers.get('idempotency-replayed'), 'true');
});
