/** What an author's command does to an open attempt, and when a repeated command does nothing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DestinationAnswer } from '../../../delivery/types.ts';
import * as commands from '../../../store/deliveries/commands.ts';
import { type AddedDelivery, openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { begin as beginWith, MADE } from './support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const begin = (delivery: AddedDelivery) => beginWith(ledger, delivery);
const NOW = new Date();
const EARLIER = new Date(NOW.getTime() - 600_000);
const COPY = { remoteId: 'r', remoteUrl: 'https://there.example/r', contentHash: 'old', revision: 1 };
const answered = (answer: DestinationAnswer) => ({ answer: JSON.stringify(answer), answeredAt: NOW });
const clearOutbox = () => ledger.db.deleteFrom('outbox').execute();
const rejected = { kind: 'rejected', code: 'invalid', reason: 'No.' } as const;

for (const [answer, outcome] of [
  [{ kind: 'unavailable', reason: '503' }, 'retried'],
  [rejected, 'retried'],
  [{ ...rejected, code: 'remote_gone' }, 'retried'],
  [{ ...rejected, code: 'remote_not_ours' }, 'retried'],
  [{ ...rejected, mayBeSaved: true }, null],
  [{ kind: 'unknown', reason: 'cut' }, null],
  [MADE, null],
] as const) {
  test(`retry: an attempt answered with ${JSON.stringify(answer).slice(0, 60)} ${outcome ? 'ends' : 'stays open'}`, async () => {
    const { target, outcomes } = await begin({
      handledDispatch: 1,
      attempts: [{ startedAt: EARLIER, ...answered(answer) }],
    });
    await commands.retryDelivery(ledger.db, target);
    assert.deepEqual(await outcomes(), [outcome]);
  });
}

test('a command marks the open attempt, so that its failure is not the end, and removes the report to the author', async () => {
  const { target, attempts } = await begin({
    handledDispatch: 1,
    attempts: [{ startedAt: EARLIER, unknownDispatch: 1 }],
  });
  await commands.retryDelivery(ledger.db, target);
  const [attempt] = await attempts();
  assert.deepEqual([attempt?.hasLaterCommand, attempt?.unknownDispatch], [true, null]);
});

test('skip: the open create is reported as unknown and stays unmarked, an open update is not reported', async () => {
  for (const [delivery, unknownDispatch] of [
    [{ attempts: [{ startedAt: NOW }] }, 1],
    [{ copy: COPY, attempts: [{ action: 'update' as const, startedAt: NOW }] }, null],
  ] as const) {
    const { target, attempts, row } = await begin({ dueAt: NOW, ...delivery, attempts: [...delivery.attempts] });
    await commands.skipDelivery(ledger.db, target);
    const [attempt] = await attempts();
    assert.deepEqual([attempt?.hasLaterCommand, attempt?.unknownDispatch], [false, unknownDispatch]);
    const { skippedDispatch, handledDispatch } = await row();
    assert.deepEqual([skippedDispatch, handledDispatch], [1, 1]);
  }
});

test('overwrite: an update from before the command is voided, one after it is not, and neither is a withdrawal', async () => {
  for (const [action, overwrite, outcome] of [
    ['update', false, 'void'],
    ['update', true, null],
    ['withdraw', false, null],
  ] as const) {
    const attempts = [{ action, startedAt: NOW }];
    const { target, outcomes, row } = await begin({
      dueAt: NOW,
      overwrite,
      withdrawRequested: true,
      copy: COPY,
      attempts,
    });
    await commands.overwriteDelivery(ledger.db, target);
    assert.deepEqual(await outcomes(), [outcome]);
    const after = await row();
    assert.deepEqual([after.overwrite, after.withdrawRequested, after.skippedDispatch], [true, false, 0]);
  }
});

test('overwrite: a deleted copy cannot be overwritten', async () => {
  const { target } = await begin({ handledDispatch: 1, copy: { ...COPY, presence: 'deleted' } });
  const message = 'The destination has no copy of this article.';
  await assert.rejects(commands.overwriteDelivery(ledger.db, target), { code: 'NO_REMOTE_POST', message });
});

for (const [what, delivery, outbox] of [
  ['of an unsent article', { dueAt: NOW }, []],
  ['of a withdrawn copy', { copy: { ...COPY, presence: 'hidden' } }, []],
  ['of a live copy', { copy: COPY }, ['blogsite_a']],
  ['with an open attempt', { attempts: [{ startedAt: NOW }] }, ['blogsite_a']],
  [
    'of a copy that the platform cannot withdraw',
    { copy: COPY, attempts: [{ action: 'withdraw', outcome: 'failed', code: 'cannot_withdraw', wasSent: false }] },
    [],
  ],
] satisfies [string, AddedDelivery, string[]][]) {
  test(`withdraw: a repeated command ${what} ${outbox.length === 0 ? 'does nothing' : 'is sent'}`, async () => {
    const { target, row } = await begin({ handledDispatch: 1, withdrawRequested: true, ...delivery });
    await clearOutbox();
    const { version } = await row();
    await commands.withdrawDelivery(ledger.db, target);
    assert.deepEqual(await ledger.outbox(target.articleId), outbox);
    assert.equal((await row()).version, (version ?? 0) + outbox.length);
  });
}

test('withdraw: the first command is carried out whatever exists, and cancels a skip', async () => {
  const { target, row } = await begin({ handledDispatch: 1, skippedDispatch: 1 });
  await clearOutbox();
  await commands.withdrawDelivery(ledger.db, target);
  const { withdrawRequested, skippedDispatch, handledDispatch } = await row();
  assert.deepEqual([withdrawRequested, skippedDispatch, handledDispatch], [true, 0, 0]);
  assert.deepEqual(await ledger.outbox(target.articleId), ['blogsite_a']);
});

test('settle: an answer without proof can be settled at once, and a repeat counts as sent', async () => {
  const cut = await begin({
    dueAt: NOW,
    attempts: [{ startedAt: NOW, ...answered({ kind: 'unknown', reason: 'cut' }) }],
  });
  await commands.settleDelivery(ledger.db, cut.target, { finding: null, canUpdate: true });
  assert.deepEqual([await cut.outcomes(), (await cut.row()).presence], [['settled'], 'absent']);
  const repeated = await begin({ dueAt: NOW, attempts: [{ startedAt: EARLIER, repeatedAt: new Date() }] });
  const settling = commands.settleDelivery(ledger.db, repeated.target, { finding: null, canUpdate: true });
  await assert.rejects(settling, { code: 'STILL_TRYING' });
  const update = await begin({ dueAt: NOW, copy: COPY, attempts: [{ action: 'update', startedAt: EARLIER }] });
  const unsettled = commands.settleDelivery(ledger.db, update.target, { finding: null, canUpdate: true });
  await assert.rejects(unsettled, { code: 'NOTHING_TO_SETTLE' });
});
