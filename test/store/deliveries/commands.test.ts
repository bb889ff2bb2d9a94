import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Insertable } from 'kysely';
import { nextStep } from '../../../delivery/next-step.ts';
import { TIMEOUTS } from '../../../delivery/timeouts.ts';
import { findDestination } from '../../../destinations/registry.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import type { DB } from '../../../store/db/types.ts';
import * as commands from '../../../store/deliveries/commands.ts';
import { recordAnswer } from '../../../store/deliveries/end-attempt.ts';
import { markAttempt } from '../../../store/deliveries/mark-attempt.ts';
import { recordFailed } from '../../../store/deliveries/record-failure.ts';
import { recordDelivered } from '../../../store/deliveries/record-outcome.ts';
import { type DeliveryKey, loadDelivery } from '../../../store/deliveries/situation.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const now = new Date('2026-12-01T09:00:00Z');
const CREATING = { action: 'create', startedAt: now } as const;
const UNKNOWN = {
  state: 'unknown',
  handledDispatch: 1,
  attempts: 1,
  lastErrorCode: 'outcome_unknown',
} as const;
const THERE = { state: 'delivered', remoteId: 'r', remoteUrl: 'https://there.example/r', handledDispatch: 1 } as const;

async function situation(
  delivery: Partial<Insertable<DB['deliveries']>>,
  article: Partial<Insertable<DB['articles']>> = {},
  open: Partial<Insertable<DB['deliveryAttempts']>> | undefined = delivery.state === 'unknown' ? CREATING : undefined,
) {
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  const articleId = await ledger.addArticle(authorId, { dispatch: 1, ...article });
  const id = await ledger.addDelivery(articleId, delivery, open);
  const target: commands.DeliveryTarget = { authorId, articleId, destination: 'blogsite_a', now };
  const step = async () => {
    const loaded = await load(target);
    if (!loaded) return undefined;
    const next = nextStep(loaded.situation, findDestination('forem'), TIMEOUTS);
    return next.kind === 'rest' ? next.outcome : next.kind;
  };
  return { id, target, step, row: () => ledger.delivery(id), open: () => ledger.openAttempt(id) };
}

const load = (key: DeliveryKey) => loadDelivery(ledger.db, key, 'https://here.example');

const refusedWith = (code: string) => (error: unknown) => error instanceof RefusedCommandError && error.code === code;
const settle = (target: commands.DeliveryTarget, finding: commands.Finding, canUpdate = true) =>
  commands.settleDelivery(ledger.db, target, { finding, canUpdate });
const FOUND = { remoteId: 'found', url: 'https://there.example/found' };

test('a command for another author’s delivery is NOT_FOUND, changes nothing and signals nobody (A18)', async () => {
  const { target, id } = await situation({ state: 'failed' });
  const before = await ledger.delivery(id);
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
  assert.deepEqual(await ledger.delivery(id), before);
  assert.deepEqual(await ledger.outbox(target.articleId), []);
});

test('a command puts an entry for this one delivery into the outbox', async () => {
  const { target } = await situation({ state: 'failed', handledDispatch: 1 });
  await commands.retryDelivery(ledger.db, target);
  assert.deepEqual(await ledger.outbox(target.articleId), ['blogsite_a']);
});

test('retry: a failed delivery is tried again, and no longer shows the old error', async () => {
  const { target, row, step } = await situation({
    state: 'failed',
    handledDispatch: 1,
    lastErrorCode: 'invalid',
    lastError: 'No.',
  });
  assert.equal(await step(), 'nothing');
  await commands.retryDelivery(ledger.db, target);
  assert.equal(await step(), 'create');
  const { state, lastError, lastErrorCode } = await row();
  assert.deepEqual({ state, lastError, lastErrorCode }, { state: 'pending', lastError: null, lastErrorCode: null });
});

test('retry: a delivered article is NOTHING_TO_RETRY', async () => {
  const { target } = await situation(THERE);
  await assert.rejects(commands.retryDelivery(ledger.db, target), refusedWith('NOTHING_TO_RETRY'));
});

test('retry: a withdrawal that has not begun is cancelled', async () => {
  const { target, row, step } = await situation(THERE);
  await commands.withdrawDelivery(ledger.db, target);
  assert.equal(await step(), 'withdraw');
  await commands.retryDelivery(ledger.db, target);
  assert.equal((await row()).withdrawRequested, false);
  assert.notEqual(await step(), 'withdraw');
});

test('retry: a draft is not sent, and its row does not claim that it will be', async () => {
  const { target, row, step } = await situation({ state: 'failed', handledDispatch: 1 }, { status: 'DRAFT' });
  await commands.retryDelivery(ledger.db, target);
  assert.equal((await row()).state, 'failed');
  assert.equal(await step(), 'nothing');
});

test('retry: an unknown attempt is looked up again, and cannot be settled meanwhile', async () => {
  const { target, open, step } = await situation(UNKNOWN);
  await commands.retryDelivery(ledger.db, target);
  assert.equal(await step(), 'reconcile');
  assert.equal((await open())?.action, 'create');
  await assert.rejects(settle(target, FOUND), refusedWith('STILL_TRYING'));
});

test('skip: this publish is not sent there, the next one is', async () => {
  const { target, row, step } = await situation({ state: 'pending', nextAttemptAt: now });
  await commands.skipDelivery(ledger.db, target);
  assert.equal(await step(), 'nothing');
  const { state, lastErrorCode, nextAttemptAt } = await row();
  assert.deepEqual(
    { state, lastErrorCode, nextAttemptAt },
    { state: 'failed', lastErrorCode: 'skipped', nextAttemptAt: null },
  );
  await ledger.db.updateTable('articles').set({ dispatch: 2 }).where('id', '=', target.articleId).execute();
  assert.equal(await step(), 'create');
});

test('skip: an attempt that was planned before the skip does not begin after it', async () => {
  const { target } = await situation({ state: 'pending' });
  const loaded = await load(target);
  await commands.skipDelivery(ledger.db, target);
  const connection = loaded?.situation.connection;
  assert.ok(connection);
  assert.equal(await markAttempt(ledger.db, { ...loaded, connection, action: 'create', payload: null }), null);
});

test('skip: a withdrawal that keeps failing is skipped too', async () => {
  const { target, step } = await situation({ ...THERE, state: 'stale', handledDispatch: 0 }, { status: 'DRAFT' });
  assert.equal(await step(), 'withdraw');
  await commands.skipDelivery(ledger.db, target);
  assert.equal(await step(), 'nothing');
  await commands.withdrawDelivery(ledger.db, target);
  assert.equal(await step(), 'withdraw');
});

test('skip: an attempt in flight becomes unknown, and is not sent again', async () => {
  const { target, row, step } = await situation({ state: 'delivering', attempts: 1 }, {}, CREATING);
  await commands.skipDelivery(ledger.db, target);
  assert.equal((await row()).state, 'unknown');
  assert.equal(await step(), 'nothing');
  // The answer of the attempt comes late, and is recorded.
  const remote = { remoteId: 'r', url: 'https://there.example/r', changedAt: null };
  await recordDelivered(ledger.db, { deliveryId: (await row()).id, attempt: 1, now, outcomeKey: 'late', remote });
  assert.equal((await row()).remoteId, 'r');
});

test('skip: a delivered article is DELIVERED', async () => {
  const { target } = await situation(THERE);
  await assert.rejects(commands.skipDelivery(ledger.db, target), refusedWith('DELIVERED'));
});

test('overwrite: a drifted delivery is sent, whatever the platform says of the last change', async () => {
  const { target, step } = await situation({
    ...THERE,
    state: 'failed',
    lastErrorCode: 'drifted',
    remoteChangedAt: 't1',
  });
  assert.equal(await step(), 'nothing');
  await commands.overwriteDelivery(ledger.db, target);
  assert.equal(await step(), 'update');
  assert.equal((await load(target))?.unchangedSince, null);
});

test('overwrite: the command is not lost to an update in flight that finds the change', async () => {
  const delivering = { ...THERE, state: 'delivering', attempts: 3 } as const;
  const { target, row, step } = await situation(delivering, {}, { action: 'update', startedAt: now });
  await commands.overwriteDelivery(ledger.db, target);
  const failure = {
    deliveryId: (await row()).id,
    attempt: 3,
    now,
    state: 'failed',
    dispatch: 1,
    code: 'drifted',
    reason: 'Changed.',
  } as const;
  const answer = { kind: 'drifted', changedAt: 't2', reason: 'Changed.' } as const;
  await recordAnswer(ledger.db, { deliveryId: failure.deliveryId, number: 3, answer });
  await recordFailed(ledger.db, { ...failure, outcomeKey: 'drifted-late' });
  assert.equal(await step(), 'update');
});

test('overwrite: without a post of ours it is NO_REMOTE_POST', async () => {
  const { target } = await situation({ state: 'failed' });
  await assert.rejects(commands.overwriteDelivery(ledger.db, target), refusedWith('NO_REMOTE_POST'));
});

test('withdraw: an article that was not sent yet is not sent until retry, whatever is published', async () => {
  const { target, step } = await situation({ state: 'pending' });
  await commands.withdrawDelivery(ledger.db, target);
  await commands.withdrawDelivery(ledger.db, target);
  assert.equal(await step(), 'nothing');
  await ledger.db.updateTable('articles').set({ dispatch: 2 }).where('id', '=', target.articleId).execute();
  assert.equal(await step(), 'nothing');
  await commands.retryDelivery(ledger.db, target);
  assert.equal(await step(), 'create');
});

test('withdraw: a post that may exist is looked up first', async () => {
  const { target, open, step } = await situation(UNKNOWN);
  await commands.withdrawDelivery(ledger.db, target);
  assert.equal(await step(), 'reconcile');
  assert.equal((await open())?.action, 'create');
});

test('settle: a post that is there becomes ours, and gets the present text', async () => {
  const { target, row, open, step } = await situation(UNKNOWN);
  await settle(target, FOUND);
  const { state, remoteId, remoteUrl, attempts } = await row();
  assert.deepEqual({ state, remoteId, remoteUrl }, { state: 'stale', remoteId: 'found', remoteUrl: FOUND.url });
  assert.equal(await open(), undefined);
  assert.equal(attempts, 2);
  assert.equal(await step(), 'update');
  await assert.rejects(settle(target, FOUND), refusedWith('NOTHING_TO_SETTLE'));
});

test('settle: a post that is there and cannot be changed carries what was sent', async () => {
  const { target, row } = await situation(UNKNOWN);
  await settle(target, FOUND, false);
  const { state, deliveredHash, deliveredRevision, handledDispatch } = await row();
  assert.deepEqual([state, deliveredHash, deliveredRevision, handledDispatch], ['delivered', 'sent', 1, 1]);
});

test('settle: an article that is not there is sent again, and a late answer of the first attempt changes nothing', async () => {
  const { target, row, step } = await situation(UNKNOWN);
  await settle(target, null);
  assert.equal(await step(), 'create');
  const remote = { remoteId: 'late', url: 'https://there.example/late', changedAt: null };
  await recordDelivered(ledger.db, { deliveryId: (await row()).id, attempt: 1, now, outcomeKey: 'too late', remote });
  assert.equal((await row()).remoteId, null);
});

test('settle: what the destination has answered meanwhile counts, whatever was found there before', async () => {
  for (const finding of [null, FOUND]) {
    const { id, target, row, step } = await situation(UNKNOWN);
    const remote = { remoteId: 'made', url: 'https://there.example/made', changedAt: null };
    await recordAnswer(ledger.db, { deliveryId: id, number: 1, answer: { kind: 'done', remote } });
    await settle(target, finding);
    assert.equal(await step(), 'resolve', 'the actor records it');
    assert.deepEqual(await ledger.outbox(target.articleId), [target.destination], 'and is woken for that');
    assert.equal((await row()).attempts, 1);
  }
});

test('settle: a post of another article is POST_TAKEN', async () => {
  const { target } = await situation(UNKNOWN);
  const other = await ledger.addArticle(target.authorId);
  await ledger.addDelivery(other, { ...THERE, remoteId: FOUND.remoteId });
  await assert.rejects(settle(target, FOUND), refusedWith('POST_TAKEN'));
});

test('settle: an outcome that is known, or still looked up, cannot be settled', async () => {
  const known = await situation({ state: 'failed' });
  await assert.rejects(settle(known.target, null), refusedWith('NOTHING_TO_SETTLE'));
  const trying = await situation({ state: 'delivering' }, {}, CREATING);
  await assert.rejects(settle(trying.target, null), refusedWith('STILL_TRYING'));
});

for (const command of [commands.retryDelivery, commands.skipDelivery, commands.withdrawDelivery]) {
  test(`ten calls of ${command.name} at once have the effect of one`, async () => {
    const { target, step, row } = await situation({ state: 'failed', handledDispatch: 1 });
    await Promise.all(Array.from({ length: 10 }, () => command(ledger.db, target)));
    assert.equal(await step(), command === commands.retryDelivery ? 'create' : 'nothing');
    assert.ok((await row()).handledDispatch <= 1);
  });
}
