/** Duplicates, look-ups and the storage of answers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { TIMEOUTS } from '../../../delivery/timeouts.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { BUG, DONE, type Options, REMOTE, sendTo } from './support/send.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const send = (expected: string, set: Options = {}) => sendTo(ledger, expected, set);

const REPEATABLE = { repeat: { afterMs: 0, withinMs: 60_000 }, canFind: false };

test('a duplicate at a platform that recognises them is rejected, unless it is this article’s post', async () => {
  const own = await send('create', { limits: REPEATABLE });
  assert.equal(own.outcome.kind, 'done');
  const foreign = { ...DONE, value: { ...REMOTE, remoteId: '8', isDuplicate: true } };
  const { outcome } = await send('create', { limits: REPEATABLE, client: { create: async () => foreign as never } });
  assert.partialDeepStrictEqual(outcome, {
    ...{ kind: 'rejected', code: 'duplicate_of_foreign' },
    reason:
      'The destination already has an identical post that Courant did not create: https://there.example/7. Courant did not change it. Delete it there, or change the text and publish again.',
  });
  const other = await send('create', { limits: REPEATABLE, author: own.userId });
  assert.partialDeepStrictEqual(other.outcome, {
    ...{ kind: 'rejected', code: 'duplicate_of_other' },
    reason: 'The destination treats this as a duplicate of another article’s post: https://there.example/7',
  });
  const deleted = { copy: { remoteId: '7', presence: 'deleted', withdrawnAt: new Date() } } as const;
  const again = await send('create', { limits: REPEATABLE, delivery: deleted });
  assert.partialDeepStrictEqual(again.outcome, {
    ...{ kind: 'rejected', code: 'duplicate_of_deleted' },
    reason:
      'The destination still treats “A title” as a duplicate of the deleted post. Publish again in a day or two, or change the text.',
  });
  const unchecked = await send('create', {
    limits: { repeat: null },
    client: { create: async () => foreign as never },
  });
  assert.equal(unchecked.outcome.kind, 'done');
});

test('a look-up ignores the posts of other articles, and one of another attempt proves nothing', async () => {
  const first = await send('create');
  const unknown = async () => ({ kind: 'unknown', reason: 'Cut.' }) as const;
  const second = await send('create', { author: first.userId, client: { create: unknown, find: async () => DONE } });
  const attemptId = second.attempts[0]?.id ?? null;
  assert.deepEqual(await second.lookUp(attemptId), { kind: 'done', value: null });
  const query = second.calls.at(-1)?.[1] as { excludedIds: Set<string> };
  assert.deepEqual(query.excludedIds, new Set(['7']));
  assert.deepEqual(await second.lookUp(null), { kind: 'changed' });
  const found = await send('create', { client: { create: unknown, find: async () => DONE } });
  assert.deepEqual(await found.lookUp(found.attempts[0]?.id ?? null), DONE);
  const none = await send('create', { client: { create: unknown } });
  assert.deepEqual(await none.lookUp(none.attempts[0]?.id ?? null), { kind: 'done', value: null });
  const broken = await send('create', { client: { create: unknown, find: () => Promise.reject(new Error('a bug')) } });
  assert.deepEqual(await broken.lookUp(broken.attempts[0]?.id ?? null), { kind: 'unavailable', reason: BUG });
});

test('a deleted article cannot be looked up; a probe returns only the kind of its answer', async () => {
  const deleted = await send('create');
  assert.deepEqual(await deleted.probe(), { kind: 'done' });
  await ledger.db.deleteFrom('articles').where('id', '=', deleted.articleId).execute();
  const rejected = { kind: 'rejected', code: 'article_deleted', reason: 'The article was deleted.' };
  assert.deepEqual(await deleted.lookUp(null), rejected);
  assert.deepEqual(await deleted.probe(), { kind: 'rejected' });
  const broken = await send('create', { client: { probe: () => Promise.reject(new Error('a bug')) } });
  assert.deepEqual(await broken.probe(), { kind: 'unavailable' });
});

/** Rejects the storage of answers from now on. Returns a function that allows it again. */
async function rejectAnswers(): Promise<() => Promise<unknown>> {
  await sql`create or replace function reject_answer() returns trigger language plpgsql as $$
    begin raise exception 'no space'; end $$`.execute(ledger.db);
  await sql`create trigger reject_answer before update on delivery_attempts for each row
    when (new.answer is not null) execute function reject_answer()`.execute(ledger.db);
  return () => sql`drop trigger reject_answer on delivery_attempts`.execute(ledger.db);
}

test('the storage of an answer is retried', async () => {
  const create = async () => {
    const allow = await rejectAnswers();
    setTimeout(() => void allow(), 100);
    return DONE;
  };
  const { outcome, attempts } = await send('create', { client: { create } });
  assert.partialDeepStrictEqual(outcome, { kind: 'done', remote: REMOTE, recorded: { isCurrent: true } });
  assert.partialDeepStrictEqual(attempts[0]?.answer, { kind: 'done' });
});

test('an answer that cannot be stored is returned; that of a recognised post has an unknown outcome', async (t) => {
  for (const [limits, expected] of [
    [{ repeat: null }, { kind: 'done', remote: REMOTE }],
    [REPEATABLE, { kind: 'unavailable', reason: BUG }],
  ] as const) {
    let allow: () => Promise<unknown> = async () => undefined;
    let passedMs = 0;
    const now = performance.now.bind(performance);
    t.mock.method(performance, 'now', () => now() + passedMs);
    const create = async () => {
      allow = await rejectAnswers();
      setTimeout(() => {
        passedMs = TIMEOUTS.storeAnswerMs;
      }, 20);
      return DONE;
    };
    const { outcome, attempts } = await send('create', { client: { create }, limits });
    t.mock.restoreAll();
    await allow();
    assert.partialDeepStrictEqual(outcome, expected);
    assert.equal('recorded' in outcome, false);
    assert.equal(attempts[0]?.answer, null);
  }
});
