/** Tests the effects and refusals of an author's commands, and the due step after them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Insertable } from 'kysely';
import { findOrCreateAccount } from '../../../store/connections/accounts.ts';
import type { DB } from '../../../store/db/types.ts';
import * as commands from '../../../store/deliveries/commands.ts';
import { type AddedDelivery, openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { begin, DELIVERED, MADE, REMOTE } from './support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const now = new Date();
/** Longer ago than the duration of any call. */
const EARLIER = new Date(now.getTime() - 600_000);
const HANDLED = { handledDispatch: 1 };
const PENDING = { dueAt: now };
const FAILED = {
  ...HANDLED,
  attempts: [{ outcome: 'failed', code: 'invalid', reason: 'No.' }],
} satisfies AddedDelivery;
/** Sent when the row is written, because `now` may be older than the duration of a call. */
const CREATING = { dueAt: now, attempts: [{}] };
const UNKNOWN = { ...HANDLED, attempts: [{ startedAt: EARLIER, code: 'outcome_unknown' }] };
const COPY = { remoteId: 'r', remoteUrl: REMOTE.url, contentHash: 'old', revision: 1 };
const THERE = { ...HANDLED, copy: COPY };
/** The article has a newer revision than the copy. */
const OUTDATED = { dueAt: now, copy: { ...COPY, revision: 0 } };

const situation = (delivery: AddedDelivery, article?: Partial<Insertable<DB['articles']>>) =>
  begin(ledger, delivery, article);

/** What the author reads for each code. */
const REFUSALS = {
  NOT_FOUND: 'You have no delivery of this article to this destination.',
  NOTHING_TO_RETRY: 'The destination already has the current article. To send a change, publish the article again.',
  DELIVERED: 'The article was already delivered. To remove the copy, withdraw it.',
  NO_REMOTE_POST: 'The destination has no copy of this article.',
  NOTHING_TO_SETTLE:
    'The outcome of this delivery is known; there is nothing to resolve. Load the delivery again to see it.',
  SENT_AGAIN:
    'The article was sent again since this page was loaded. Check there once more, and report what you find now.',
  STILL_TRYING: 'The attempt may still be running. Resolve it once its state is unknown.',
  POST_TAKEN: 'That post belongs to another article.',
};
const refusedWith = (code: keyof typeof REFUSALS) => ({ name: 'RefusedCommandError', code, message: REFUSALS[code] });
const settle = (
  target: commands.DeliveryTarget,
  finding: commands.CopyFinding,
  canUpdate = true,
  seenAttempts?: number,
) => commands.settleDelivery(ledger.db, target, { finding, canUpdate, seenAttempts });
const FOUND = { remoteId: 'found', url: 'https://there.example/found' };
const publish = ({ articleId }: commands.DeliveryTarget) =>
  ledger.db.updateTable('articles').set({ dispatch: 2 }).where('id', '=', articleId).execute();

test('a command for another author’s delivery is NOT_FOUND, without a change or a signal (A18)', async () => {
  const { target, row } = await situation(FAILED);
  const before = await row();
  const foreign = { ...target, authorId: await ledger.addAuthor() };
  for (const command of [
    commands.retryDelivery,
    commands.skipDelivery,
    commands.overwriteDelivery,
    commands.withdrawDelivery,
  ]) {
    await assert.rejects(command(ledger.db, foreign), refusedWith('NOT_FOUND'));
  }
  await assert.rejects(settle(foreign, null), refusedWith('NOT_FOUND'));
  assert.deepEqual(await row(), before);
  assert.deepEqual(await ledger.outbox(target.articleId), []);
});

test('a command adds an outbox entry for its delivery and invalidates earlier decisions', async () => {
  const { target, row } = await situation(FAILED);
  const { version } = await row();
  await commands.retryDelivery(ledger.db, target);
  assert.deepEqual(await ledger.outbox(target.articleId), ['blogsite_a']);
  assert.equal((await row()).version, (version ?? 0) + 1);
});

test('retry: a failed delivery is retried and does not show the old error', async () => {
  const { target, row, error, step } = await situation(FAILED);
  assert.equal(await step(), 'nothing');
  assert.deepEqual(await error(), ['invalid', 'No.']);
  await commands.retryDelivery(ledger.db, target);
  assert.equal(await step(), 'create');
  assert.equal((await row()).state, 'pending');
  assert.deepEqual(await error(), [null, null]);
});

test('retry: a delivered article is NOTHING_TO_RETRY', async () => {
  const { target } = await situation(THERE);
  await assert.rejects(commands.retryDelivery(ledger.db, target), refusedWith('NOTHING_TO_RETRY'));
});

test('retry: a withdrawal that has not started is cancelled', async () => {
  const { target, row, step } = await situation(THERE);
  await commands.withdrawDelivery(ledger.db, target);
  assert.equal(await step(), 'withdraw');
  await commands.retryDelivery(ledger.db, target);
  assert.equal((await row()).withdrawRequested, false);
  assert.notEqual(await step(), 'withdraw');
});

test('retry: a draft is not sent and not shown as pending', async () => {
  const { target, row, step } = await situation(FAILED, { status: 'DRAFT' });
  await commands.retryDelivery(ledger.db, target);
  assert.equal((await row()).state, 'stale');
  assert.equal(await step(), 'nothing');
});

test('retry: an unknown attempt is looked up again and can still be settled', async () => {
  const { target, outcomes, step } = await situation(UNKNOWN);
  await commands.retryDelivery(ledger.db, target);
  assert.equal(await step(), 'reconcile');
  assert.deepEqual(await outcomes(), [null]);
  await settle(target, FOUND);
  assert.deepEqual(await outcomes(), ['settled']);
});

test('retry: after a retry during an attempt, a failure of the attempt is followed by another', async () => {
  const attempts = [{ action: 'update', startedAt: now } as const];
  const { target, step, decision, answer, end, events } = await situation({ ...OUTDATED, attempts });
  const sent = await decision();
  await commands.retryDelivery(ledger.db, target);
  await answer(sent, { kind: 'rejected', code: 'invalid', reason: 'No.' });
  const failed = { kind: 'failed', state: 'failed', code: 'invalid', reason: 'No.' } as const;
  assert.equal(await end(await decision(), failed), false);
  assert.deepEqual([await step(), await events()], ['update', []]);
});

test('skip: this publish is not sent, the next one is', async () => {
  const { target, row, step } = await situation({ dueAt: new Date(now.getTime() + 60_000) });
  await commands.skipDelivery(ledger.db, target);
  assert.equal(await step(), 'nothing');
  const { state, errorCode, nextAttemptAt } = await row();
  assert.deepEqual([state, errorCode, nextAttemptAt], ['failed', 'skipped', null]);
  await publish(target);
  assert.equal(await step(), 'create');
});

test('skip: an attempt planned before the skip does not start after it', async () => {
  const { target, prepare } = await situation(PENDING);
  const mark = await prepare();
  await commands.skipDelivery(ledger.db, target);
  assert.equal(await mark(), null);
});

test('skip: a failing withdrawal is skipped', async () => {
  const { target, step } = await situation({ copy: COPY, dueAt: now }, { status: 'DRAFT' });
  assert.equal(await step(), 'withdraw');
  await commands.skipDelivery(ledger.db, target);
  assert.equal(await step(), 'nothing');
  await commands.withdrawDelivery(ledger.db, target);
  assert.equal(await step(), 'withdraw');
});

test('skip: an attempt in flight becomes unknown and is not repeated, and its late success is recorded', async () => {
  const { target, row, step, decision, end } = await situation(CREATING);
  const sent = await decision();
  await commands.skipDelivery(ledger.db, target);
  assert.equal((await row()).state, 'unknown');
  assert.equal(await step(), 'nothing');
  await assert.rejects(settle(target, null), refusedWith('STILL_TRYING'));
  assert.equal(await end(sent, DELIVERED), false);
  assert.equal((await row()).remoteId, 'r');
});

test('skip: a delivered article is DELIVERED', async () => {
  const { target } = await situation(THERE);
  await assert.rejects(commands.skipDelivery(ledger.db, target), refusedWith('DELIVERED'));
});

const DRIFTED = { kind: 'drifted', changedAt: 't2', reason: 'Changed.' } as const;

test('overwrite: a drifted delivery is sent despite the edit at the destination', async () => {
  const answered = { answer: JSON.stringify(DRIFTED), answeredAt: now };
  const drifted = { action: 'update', outcome: 'failed', code: 'drifted', ...answered } as const;
  const copy = { ...COPY, remoteChangedAt: 't1' };
  const { target, step, plan } = await situation({ ...HANDLED, copy, attempts: [drifted] });
  assert.equal(await step(), 'nothing');
  await commands.overwriteDelivery(ledger.db, target);
  assert.equal(await step(), 'update');
  assert.equal((await plan()).unchangedSince, null);
});

test('overwrite: the command survives an update in flight that detects the edit', async () => {
  const { target, step, decision, answer, end } = await situation({
    ...{ dueAt: now, copy: COPY },
    attempts: [{ action: 'update', startedAt: now }],
  });
  const sent = await decision();
  await commands.overwriteDelivery(ledger.db, target);
  await answer(sent, DRIFTED);
  await end(sent, { kind: 'failed', state: 'failed', code: 'drifted', reason: 'Changed.' });
  assert.notEqual(await step(), 'nothing');
});

for (const [name, delivery, command, expected] of [
  ['retry', OUTDATED, commands.retryDelivery, 'update'],
  ['overwrite', OUTDATED, commands.overwriteDelivery, 'update'],
  ['withdraw', OUTDATED, commands.withdrawDelivery, 'withdraw'],
  ['settle without a post', UNKNOWN, (_: unknown, target: commands.DeliveryTarget) => settle(target, null), 'create'],
  ['settle with a post', UNKNOWN, (_: unknown, target: commands.DeliveryTarget) => settle(target, FOUND), 'update'],
] as const) {
  test(`${name}: after a skip the command is carried out`, async () => {
    const { target, step } = await situation(delivery);
    await commands.skipDelivery(ledger.db, target);
    assert.equal(await step(), 'nothing');
    await command(ledger.db, target);
    assert.equal(await step(), expected);
  });
}

test('overwrite: an update in flight that succeeds is followed by one that overwrites', async () => {
  const attempts = [{ action: 'update', startedAt: now } as const];
  const { target, step, plan, decision, answer } = await situation({ ...OUTDATED, attempts });
  const sent = await decision();
  await commands.overwriteDelivery(ledger.db, target);
  await answer(sent, MADE);
  assert.equal(await step(), 'update');
  assert.equal((await plan()).unchangedSince, null);
});

test('overwrite: without a post of the article it is NO_REMOTE_POST', async () => {
  const { target } = await situation(FAILED);
  await assert.rejects(commands.overwriteDelivery(ledger.db, target), refusedWith('NO_REMOTE_POST'));
});

test('withdraw: an unsent article is not sent until a retry, even if it is published again', async () => {
  const { target, step } = await situation(PENDING);
  await commands.withdrawDelivery(ledger.db, target);
  await commands.withdrawDelivery(ledger.db, target);
  assert.equal(await step(), 'nothing');
  await publish(target);
  assert.equal(await step(), 'nothing');
  await commands.retryDelivery(ledger.db, target);
  assert.equal(await step(), 'create');
});

test('withdraw: a post that may exist is looked up first', async () => {
  const { target, outcomes, step } = await situation(UNKNOWN);
  await commands.withdrawDelivery(ledger.db, target);
  assert.equal(await step(), 'reconcile');
  assert.deepEqual(await outcomes(), [null]);
});

test('settle: a found post is adopted and updated with the current text', async () => {
  const { target, row, outcomes, step } = await situation(UNKNOWN);
  await settle(target, FOUND);
  const { state, remoteId, remoteUrl } = await row();
  assert.deepEqual([state, remoteId, remoteUrl], ['stale', 'found', FOUND.url]);
  assert.deepEqual(await outcomes(), ['settled']);
  assert.equal(await step(), 'update');
  await assert.rejects(settle(target, FOUND), refusedWith('NOTHING_TO_SETTLE'));
});

test('settle: a found post that cannot be updated has the content of the attempt', async () => {
  const { target, row } = await situation(UNKNOWN);
  await settle(target, FOUND, false);
  const { state, contentHash, deliveredRevision, handledDispatch } = await row();
  assert.deepEqual([state, contentHash, deliveredRevision, handledDispatch], ['delivered', 'sent', 1, 1]);
});

test('settle: an article without a post is sent again, and a late answer of the first attempt is recorded', async () => {
  const { target, row, step, decision, end, answer, events, isWoken } = await situation(UNKNOWN);
  const sent = await decision();
  await settle(target, null);
  assert.equal(await step(), 'create');
  await ledger.db.deleteFrom('outbox').where('articleId', '=', target.articleId).execute();
  await end(sent, DELIVERED);
  assert.deepEqual([(await row()).remoteId, await events()], [null, []]);
  await answer(sent, MADE);
  assert.deepEqual([(await row()).remoteId, await step(), await isWoken()], ['r', 'update', true]);
});

test('settle: an answer stored meanwhile counts instead of the author’s finding', async () => {
  for (const finding of [null, FOUND]) {
    const { target, step, decision, answer, outcomes } = await situation(UNKNOWN);
    await answer(await decision(), MADE);
    await settle(target, finding);
    assert.equal(await step(), 'conclude', 'the actor records it');
    assert.deepEqual(await ledger.outbox(target.articleId), [target.destination], 'and is woken for that');
    assert.deepEqual(await outcomes(), [null]);
  }
});

test('settle: a post of another article is POST_TAKEN', async () => {
  const { target } = await situation(UNKNOWN);
  const other = await ledger.addArticle(target.authorId);
  await ledger.addDelivery(other, { ...THERE, copy: { ...COPY, remoteId: FOUND.remoteId } });
  await assert.rejects(settle(target, FOUND), refusedWith('POST_TAKEN'));
});

test('settle: a post of another author’s article at the same account is POST_TAKEN', async () => {
  const { target, row, outcomes } = await situation(UNKNOWN);
  const { destination } = target;
  const { platform, baseUrl, identity } = await ledger.db
    .selectFrom('connections')
    .innerJoin('accounts', 'accounts.id', 'connections.accountId')
    .select(['connections.platform', 'connections.baseUrl', 'accounts.identity'])
    .where('connections.userId', '=', target.authorId)
    .executeTakeFirstOrThrow();
  const userId = await ledger.addAuthor();
  const account = { identity, name: null };
  const accountId = await findOrCreateAccount(ledger.db, { userId, destination, platform, baseUrl, account });
  await ledger.addDelivery(await ledger.addArticle(userId), { accountId, copy: { remoteId: FOUND.remoteId } });
  await assert.rejects(settle(target, FOUND), refusedWith('POST_TAKEN'));
  assert.deepEqual([(await row()).remoteId, await outcomes()], [null, [null]]);
});

test('settle: a finding from before another attempt is refused', async () => {
  const { target } = await situation(UNKNOWN);
  await assert.rejects(settle(target, null, true, 0), refusedWith('SENT_AGAIN'));
  await settle(target, null, true, 1);
});

test('settle: a known outcome or a call that may still be running cannot be settled', async () => {
  const known = await situation(FAILED);
  await assert.rejects(settle(known.target, null), refusedWith('NOTHING_TO_SETTLE'));
  const trying = await situation(CREATING);
  await assert.rejects(settle(trying.target, null), refusedWith('STILL_TRYING'));
});

for (const command of [commands.retryDelivery, commands.skipDelivery, commands.withdrawDelivery]) {
  test(`ten calls of ${command.name} at once have the effect of one`, async () => {
    const { target, step, row } = await situation(FAILED);
    await Promise.all(Array.from({ length: 10 }, () => command(ledger.db, target)));
    assert.equal(await step(), command === commands.retryDelivery ? 'create' : 'nothing');
    assert.ok(((await row()).handledDispatch ?? 0) <= 1);
  });
}

test('settle: a post found after the article became a draft is withdrawn if it cannot be updated', async () => {
  const { articleId, deliveryId, target, mark, step } = await begin(ledger);
  await mark();
  const { db } = ledger;
  const startedAt = new Date(Date.now() - 3_600_000);
  await db.updateTable('deliveryAttempts').set({ startedAt }).where('deliveryId', '=', deliveryId).execute();
  await db.updateTable('articles').set({ status: 'DRAFT', dispatch: 2 }).where('id', '=', articleId).execute();
  await settle(target, { remoteId: 'r', url: 'https://there.example/r' }, false);
  assert.equal(await step(), 'withdraw');
});
