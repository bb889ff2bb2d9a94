/** An attempt whose call was lost before anybody wrote an answer down: its author sees that from the next plan on, in the cell and in the timeline. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { describeAttempt } from '../../../api/deliveries/article/describe-attempt.ts';
import { listAttempts } from '../../../store/deliveries/attempts.ts';
import { retryDelivery, skipDelivery, withdrawDelivery } from '../../../store/deliveries/commands.ts';
import { markRepeat } from '../../../store/deliveries/mark-attempt.ts';
import { recordUnanswered } from '../../../store/deliveries/record-answer.ts';
import { recordRest } from '../../../store/deliveries/record-rest.ts';
import { type AddedDelivery, openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { waitForLock } from '../../support/locks.ts';
import { begin as beginWith, CUT, FAILED, RETRY } from './support/begun.ts';

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
    say: (reason = LOST) => recordUnanswered(ledger.db, sent.attemptId, reason),
    async timeline() {
      const [row] = await listAttempts(ledger.db, { ...begun.target, limit: 1 });
      assert.ok(row);
      const { answer, word, reason } = describeAttempt(row);
      return { answer, word, reason };
    },
  };
}

const SENDING = { answer: 'No answer yet.', word: 'open', reason: null };
const UNKNOWN = { answer: 'It is not known whether it was answered.', word: 'not known', reason: LOST };
const NOTHING_SAID = [null, null];

test('the first loss of a call is seen in the row and in the timeline, however often it is said', async () => {
  const { say, error, timeline } = await begin();
  assert.deepEqual([await error(), await timeline()], [NOTHING_SAID, SENDING]);
  for (let again = 0; again < 2; again++) {
    await say();
    assert.deepEqual([await error(), await timeline()], [['outcome_unknown', LOST], UNKNOWN]);
  }
});

for (const [what, act] of [
  ['nobody does anything', () => Promise.resolve()],
  ['its author withdraws the post meanwhile', withdrawDelivery],
  ['its author orders a retry meanwhile', retryDelivery],
] as const)
  test(`what went wrong before an attempt is not said of it, and gives way to its loss, where ${what}`, async () => {
    const before = { action: 'update', outcome: 'retried', code: 'unavailable', reason: 'It was away.' } as const;
    const earlier = { answer: JSON.stringify({ kind: 'unavailable', reason: before.reason }), answeredAt: new Date() };
    const attempts = [{ ...before, ...earlier, startedAt: new Date(Date.now() - 60_000) }];
    const { target, say, error, timeline } = await begin({ dueAt: new Date(), copy: COPY, attempts });
    await act(ledger.db, target);
    assert.deepEqual([await timeline(), await error()], [SENDING, NOTHING_SAID], 'it is under way');
    await say();
    assert.deepEqual([await timeline(), await error()], [UNKNOWN, ['outcome_unknown', LOST]]);
  });

test('what was said since it began says more, and stays', async () => {
  const { sent, end, say, error, timeline } = await begin();
  const retry = { ...RETRY, code: 'rate_limited', reason: 'Too many look-ups.', stillInFlight: true };
  await end(sent, retry);
  await say();
  assert.deepEqual(await error(), ['rate_limited', retry.reason]);
  assert.deepEqual(await timeline(), { ...UNKNOWN, reason: retry.reason });
});

test('its end stays unknown in the timeline when its author is asked', async () => {
  const { sent, end, say, timeline } = await begin();
  await say();
  await end(sent, { ...FAILED, state: 'unknown', code: 'outcome_unknown', reason: 'Look there.' });
  assert.deepEqual(await timeline(), { ...UNKNOWN, reason: 'Look there.' });
});

test('once it is known to have made nothing, nobody reads that it is not known', async () => {
  const { sent, end, say, attempts } = await begin();
  await say();
  for (let again = 0; again < 2; again++) {
    await end(sent, { kind: 'absent' });
    const [attempt] = await attempts();
    const made = ['made_nothing', 'No post was created: the destination was checked after the last attempt.'];
    assert.deepEqual([attempt?.code, attempt?.reason], made);
  }
});

test('an answer that is being written down at that moment is what counts', async () => {
  const { sent, say, error } = await begin();
  let isSaid: Promise<void> | undefined;
  await ledger.db.transaction().execute(async (tx) => {
    const answer = { answer: JSON.stringify(CUT), answeredAt: new Date() };
    const said = { code: 'outcome_unknown', reason: CUT.reason };
    await tx
      .updateTable('deliveryAttempts')
      .set({ ...answer, ...said })
      .where('id', '=', sent.attemptId)
      .execute();
    isSaid = say();
    await waitForLock(ledger.db);
  });
  await isSaid;
  assert.deepEqual(await error(), ['outcome_unknown', CUT.reason]);
});

test('a loss is not said of an attempt that was answered or has ended', async () => {
  const answered = await begin();
  await answered.answer(answered.sent, CUT);
  await answered.say();
  assert.deepEqual(await answered.error(), ['outcome_unknown', CUT.reason]);
  const ended = await begin();
  await ended.end(ended.sent, { kind: 'absent' });
  await ended.say();
  assert.deepEqual(await ended.error(), NOTHING_SAID);
});

test('an answer that comes all the same is what counts', async () => {
  const { sent, say, answer, error, timeline } = await begin();
  await say();
  await answer(sent, CUT);
  assert.deepEqual(await error(), ['outcome_unknown', CUT.reason]);
  assert.equal((await timeline()).reason, CUT.reason);
});

test('a repeat that is lost as well is said anew, by what is done then', async () => {
  const { plan, say, error, timeline } = await begin({ dueAt: new Date() }, {});
  await say();
  const { step } = await plan();
  assert.ok(step.kind === 'reconcile' && (await markRepeat(ledger.db, step, 60_000)));
  assert.deepEqual(await timeline(), SENDING, 'it is under way');
  await say('Look there.');
  assert.deepEqual(await error(), ['outcome_unknown', 'Look there.']);
});

test('where nothing is due after the loss, or its author skipped it, the row does not say for ever that something is sent', async () => {
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
    assert.equal((await timeline()).word, 'open', 'an answer that comes all the same counts');
  }
});
