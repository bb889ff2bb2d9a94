/**
 * Tests the record of a destination's answer: once, for its own attempt, under concurrent writes.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DestinationAnswer } from '../../../delivery/types.ts';
import { skipDelivery } from '../../../store/deliveries/commands.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { begin as beginWith, CUT, DELIVERED, MADE } from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const LIMITED = { kind: 'rateLimited', retryAfterMs: 1_000, reason: 'Too many.' } as const;
const begin = (...more: Parameters<typeof beginWith> extends [unknown, ...infer Rest] ? Rest : never) =>
  beginWith(ledger, ...more);

async function send() {
  const begun = await begin();
  const sent = await begun.mark();
  const answers = async () => (await begun.attempts()).map(({ answer }) => answer?.kind ?? null);
  return { ...begun, sent, answers, answer: (answer: DestinationAnswer) => begun.answer(sent, answer) };
}

test('the first answer counts', async () => {
  const { answer, answers, attempts } = await send();
  await answer(MADE);
  const [first] = await attempts();
  await answer(CUT);
  assert.deepEqual(await answers(), ['done']);
  assert.deepEqual((await attempts())[0]?.answeredAt, first?.answeredAt);
});

test('a success is recorded once, with its answer and its event', async () => {
  const { sent, end, row, attempts, events, answer } = await send();
  assert.equal(await end(sent, DELIVERED, MADE), true);
  const before = await row();
  assert.equal(before.state, 'delivered');
  const [attempt] = await attempts();
  assert.deepEqual([attempt?.answer, attempt?.outcome], [MADE, 'delivered']);
  assert.ok(attempt?.answeredAt && attempt.endedAt);

  assert.equal(await end(sent, DELIVERED), true, 'the workflow, which says the same');
  await answer(CUT);
  assert.deepEqual(await row(), before);
  assert.deepEqual(await events(), ['CROSS_POST_SUCCESS']);
});

test('an answer updates the copy with the sent content before the ending is recorded', async () => {
  const { answer, articleId, attempts } = await send();
  await answer(MADE);
  const copy = await ledger.db.selectFrom('copies').selectAll().where('articleId', '=', articleId).executeTakeFirst();
  const [attempt] = await attempts();
  assert.ok(attempt);
  assert.deepEqual(
    [copy?.presence, copy?.remoteId, copy?.revision, copy?.contentHash],
    ['live', MADE.remote.remoteId, attempt.revision, attempt.contentHash],
  );
});

test('an answer is written only for its own attempt and delivery', async () => {
  const [one, other] = [await send(), await send()];
  await one.end(one.sent, { kind: 'absent' });
  await one.mark();
  await one.answer(LIMITED);
  assert.deepEqual(await one.answers(), ['rateLimited', null]);
  assert.deepEqual(await other.answers(), [null]);
});

test('an unknown answer shows the unknown outcome until it is resolved', async () => {
  const { answer, row, error } = await send();
  await answer(CUT);
  assert.deepEqual([(await row()).state, ...(await error())], ['delivering', 'outcome_unknown', CUT.reason]);
});

test('a known answer is shown by the record of its ending, not before', async () => {
  const { answer, error } = await send();
  await answer(LIMITED);
  assert.deepEqual(await error(), [null, null]);
});

test('an unknown answer is not shown for an ended attempt', async () => {
  const { sent, end, answer, error } = await send();
  await end(sent, { kind: 'absent' });
  await answer(CUT);
  assert.equal((await error())[0], null, 'another attempt may be under way');
});

test('a late unknown answer does not undo an author’s command', async () => {
  const { target, answer, error } = await send();
  await skipDelivery(ledger.db, target);
  await answer(CUT);
  assert.equal((await error())[0], 'skipped');
});

test('a late answer does not change a copy written by a later attempt, unless it deleted the post', async () => {
  for (const [answer, presence] of [
    [{ kind: 'done', remote: null }, 'live'],
    [{ kind: 'done', remote: null, deleted: true }, 'deleted'],
  ] as const) {
    const copy = { remoteId: 'r', contentHash: 'old', revision: 1 };
    const begun = await begin({ dueAt: new Date(), copy }, { status: 'DRAFT' });
    const withdrawal = await begun.mark();
    const published = { status: 'PUBLISHED', dispatch: 2 } as const;
    await ledger.db.updateTable('articles').set(published).where('id', '=', begun.articleId).execute();
    await ledger.db
      .updateTable('deliveryAttempts')
      .set({ startedAt: new Date(Date.now() - 600_000) })
      .execute();
    const update = await begun.mark();
    await begun.end(update, DELIVERED, MADE);
    await begun.answer(withdrawal, answer);
    assert.equal((await begun.row()).presence, presence);
    assert.equal(await begun.isWoken(), presence === 'deleted');
  }
});
