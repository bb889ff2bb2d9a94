/** Tests the display of an attempt that lost its call before an answer was stored. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { describeAttempt } from '../../../api/deliveries/article/describe-attempt.ts';
import { listAttempts } from '../../../store/attempts/attempts.ts';
import { markRepeat } from '../../../store/attempts/mark-attempt.ts';
import { recordUnknownOutcome } from '../../../store/attempts/record-answer.ts';
import { recordRest } from '../../../store/attempts/record-rest.ts';
import { retryDelivery, skipDelivery, withdrawDelivery } from '../../../store/deliveries/commands.ts';
import { type AddedDelivery, openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { begin as beginWith, CUT, FAILED, RETRY } from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const LOST = 'Nobody knows yet.';
const COPY = { remoteId: 'r', contentHash: 'old', revision: 1 };

async function begin(delivery: AddedDelivery = { dueAt: new Date() }, payload?: unknown) {
  const begun = await beginWith(ledger, delivery);
  const sent = await begun.mark(payload);
  return {
    ...begun,
    sent,
    recordLoss: (reason = LOST) => recordUnknownOutcome(ledger.db, sent.attemptId, reason),
    async timeline() {
      const [row] = await listAttempts(ledger.db, { ...begun.target, limit: 1 });
      assert.ok(row);
      const { answer, word, reason } = describeAttempt(row);
      return { answer, word, reason };
    },
  };
}

const SENDING = { answer: 'No response yet.', word: 'In progress', reason: null };
const UNKNOWN = { answer: 'It is not known whether the destination responded.', word: 'Unknown', reason: LOST };
const NO_ERROR = [null, null];

test('a lost call is shown in the row and in the timeline, also when it is recorded twice', async () => {
  const { recordLoss, error, timeline } = await begin();
  assert.deepEqual([await error(), await timeline()], [NO_ERROR, SENDING]);
  for (let again = 0; again < 2; again++) {
    await recordLoss();
    assert.deepEqual([await error(), await timeline()], [['outcome_unknown', LOST], UNKNOWN]);
  }
});

for (const [command, act] of [
  ['no command', () => Promise.resolve()],
  ['a withdraw command', withdrawDelivery],
  ['a retry command', retryDelivery],
] as const)
  test(`an earlier failure is not shown during an attempt, and its loss is shown after ${command}`, async () => {
    const before = { action: 'update', outcome: 'retried', code: 'unavailable', reason: 'It was away.' } as const;
    const earlier = { answer: JSON.stringify({ kind: 'unavailable', reason: before.reason }), answeredAt: new Date() };
    const attempts = [{ ...before, ...earlier, startedAt: new Date(Date.now() - 60_000) }];
    const { target, recordLoss, error, timeline } = await begin({ dueAt: new Date(), copy: COPY, attempts });
    await act(ledger.db, target);
    assert.deepEqual([await timeline(), await error()], [SENDING, NO_ERROR], 'it is under way');
    await recordLoss();
    assert.deepEqual([await timeline(), await error()], [UNKNOWN, ['outcome_unknown', LOST]]);
  });

test('a reason recorded during the attempt is preserved', async () => {
  const { sent, end, recordLoss, error, timeline } = await begin();
  const retry = { ...RETRY, code: 'rate_limited', reason: 'Too many look-ups.', isUnsettled: true } as const;
  await end(sent, retry);
  await recordLoss();
  assert.deepEqual(await error(), ['rate_limited', retry.reason]);
  assert.deepEqual(await timeline(), { ...UNKNOWN, reason: retry.reason });
});

test('the timeline still shows an unknown answer after the outcome is reported to the author', async () => {
  const { sent, end, recordLoss, timeline } = await begin();
  await recordLoss();
  await end(sent, { ...FAILED, state: 'unknown', code: 'outcome_unknown', reason: 'Look there.' });
  assert.deepEqual(await timeline(), { ...UNKNOWN, reason: 'Look there.' });
});

test('the unknown outcome is not shown after a look-up proved that no post was made', async () => {
  const { sent, end, recordLoss, attempts } = await begin();
  await recordLoss();
  for (let again = 0; again < 2; again++) {
    await end(sent, { kind: 'absent' });
    const [attempt] = await attempts();
    const made = ['made_nothing', 'No post created: Courant checked the destination after the last attempt.'];
    assert.deepEqual([attempt?.code, attempt?.reason], made);
  }
});

test('an answer stored concurrently takes precedence over the loss', async () => {
  const { sent, recordLoss, error } = await begin();
  let loss: Promise<void> | undefined;
  await ledger.db.transaction().execute(async (tx) => {
    const answer = { answer: JSON.stringify(CUT), answeredAt: new Date() };
    const outcome = { code: 'outcome_unknown', reason: CUT.reason };
    await tx
      .updateTable('deliveryAttempts')
      .set({ ...answer, ...outcome })
      .where('id', '=', sent.attemptId)
      .execute();
    loss = recordLoss();
    await waitForLock(ledger.db);
  });
  await loss;
  assert.deepEqual(await error(), ['outcome_unknown', CUT.reason]);
});

test('a loss is not recorded for an answered or ended attempt', async () => {
  const answered = await begin();
  await answered.answer(answered.sent, CUT);
  await answered.recordLoss();
  assert.deepEqual(await answered.error(), ['outcome_unknown', CUT.reason]);
  const ended = await begin();
  await ended.end(ended.sent, { kind: 'absent' });
  await ended.recordLoss();
  assert.deepEqual(await ended.error(), NO_ERROR);
});

test('a late answer takes precedence over the loss', async () => {
  const { sent, recordLoss, answer, error, timeline } = await begin();
  await recordLoss();
  await answer(sent, CUT);
  assert.deepEqual(await error(), ['outcome_unknown', CUT.reason]);
  assert.equal((await timeline()).reason, CUT.reason);
});

test('the loss of a repeat is recorded with the message of its due step', async () => {
  const { plan, recordLoss, error, timeline } = await begin({ dueAt: new Date() }, {});
  await recordLoss();
  const { step } = await plan();
  assert.ok(step.kind === 'reconcile' && (await markRepeat(ledger.db, step, 60_000)));
  assert.deepEqual(await timeline(), SENDING, 'it is under way');
  await recordLoss('Look there.');
  assert.deepEqual(await error(), ['outcome_unknown', 'Look there.']);
});

test('a delivery that is skipped or not due after the loss is not shown as delivering', async () => {
  for (const [isSkipped, code] of [
    [false, 'outcome_unknown'],
    [true, 'skipped'],
  ] as const) {
    const { articleId, target, decision, plan, row, timeline } = await begin({ dueAt: new Date(), copy: COPY });
    if (isSkipped) await skipDelivery(ledger.db, target);
    else await ledger.db.updateTable('articles').set({ syndicate: false }).where('id', '=', articleId).execute();
    const { step } = await plan();
    assert.ok(step.kind === 'rest');
    assert.equal(await recordRest(ledger.db, { ...(await decision()), revision: 1 }, step), true);
    const { state, errorCode, nextAttemptAt, dueAt } = await row();
    assert.deepEqual([state, errorCode, nextAttemptAt, dueAt], ['stale', code, null, null]);
    assert.equal((await timeline()).word, 'In progress', 'an answer that comes all the same counts');
  }
});
