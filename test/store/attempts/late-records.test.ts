/**
 * Tests late and repeated endings: facts are always written, decisions only if their plan is
 * current.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { describeDecision } from '../../../activities/delivery/plan.ts';
import type { RecordedOutcome } from '../../../delivery/types.ts';
import { recordGivenUp } from '../../../store/attempts/record-problem.ts';
import { recordRest } from '../../../store/attempts/record-rest.ts';
import { disconnectDestination } from '../../../store/connections/disconnect.ts';
import { retryDelivery, skipDelivery, withdrawDelivery } from '../../../store/deliveries/commands.ts';
import { type AddedDelivery, openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import {
  begin as beginWith,
  DELIVERED,
  FAILED,
  REMOTE,
  RETRY,
  type StartedDelivery,
} from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const begin = (delivery?: AddedDelivery, article?: Parameters<typeof beginWith>[2]) =>
  beginWith(ledger, delivery, article);
const THERE = { dueAt: new Date(), copy: { remoteId: 'r', contentHash: 'old', revision: 1, remoteChangedAt: 't' } };
const ADOPTED: RecordedOutcome = { kind: 'adopted', remote: { ...REMOTE, remoteId: 'found' } };
const REFUSED: RecordedOutcome = { kind: 'unauthorised', reason: 'No.', isUnsettled: false };
const ENDINGS: RecordedOutcome[] = [
  DELIVERED,
  ADOPTED,
  { kind: 'absent' },
  FAILED,
  { ...FAILED, state: 'unknown' },
  RETRY,
];

for (const ending of ENDINGS) {
  const what = ending.kind === 'failed' ? ending.state : ending.kind;
  test(`${what}, for an attempt that a command has ended, changes nothing and does not notify`, async () => {
    const { target, mark, end, row, outcomes, events } = await begin(THERE);
    const sent = await mark();
    await sql`update delivery_attempts set outcome = 'void', ended_at = now() where id = ${sent.attemptId}`.execute(
      ledger.db,
    );
    await retryDelivery(ledger.db, target);
    const before = await row();
    assert.equal(await end(sent, ending), false);
    assert.deepEqual([await row(), await outcomes(), await events()], [before, ['void'], []]);
  });

  test(`${what}, recorded twice, is recorded once`, async () => {
    const { mark, end, row, outcomes, events } = await begin();
    const sent = await mark();
    await end(sent, ending);
    const before = [await row(), await outcomes(), await events()];
    await end(sent, ending);
    const strip = ([delivery, ...rest]: unknown[]) => [{ ...(delivery as object), dueAt: null }, ...rest];
    assert.deepEqual(strip([await row(), await outcomes(), await events()]), strip(before));
  });
}

const CHANGES: [what: string, change: (begun: StartedDelivery) => Promise<unknown>][] = [
  ['skipped', ({ target }) => skipDelivery(ledger.db, target)],
  ['withdrawn', ({ target }) => withdrawDelivery(ledger.db, target)],
  ['retried', ({ target }) => retryDelivery(ledger.db, target)],
  [
    'published again',
    ({ articleId }) => sql`update articles set dispatch = 2 where id = ${articleId}`.execute(ledger.db),
  ],
  ['disconnected', ({ authorId }) => disconnectDestination(ledger.db, authorId, 'blogsite_a')],
];
for (const [what, change] of CHANGES) {
  test(`${what} meanwhile: the decision is not written, the delivered copy is`, async () => {
    for (const ending of [FAILED, { ...FAILED, state: 'unknown' as const }, RETRY]) {
      const begun = await begin();
      const sent = await begun.mark();
      await change(begun);
      const before = [await begun.row(), await begun.outcomes()];
      assert.equal(await begun.end(sent, ending), false);
      assert.deepEqual([await begun.row(), await begun.outcomes(), await begun.events()], [...before, []]);
    }
    const begun = await begin();
    const sent = await begun.mark();
    await change(begun);
    const { handledDispatch, dueAt } = await begun.row();
    assert.equal(await begun.end(sent, DELIVERED), false);
    const row = await begun.row();
    assert.deepEqual([row.presence, row.remoteId, row.handledDispatch], ['live', 'r', handledDispatch]);
    assert.deepEqual([row.dueAt, await begun.events()], [dueAt, ['CROSS_POST_SUCCESS']]);
  });
}

for (const [what, change] of CHANGES.filter(([name]) => name !== 'published again')) {
  test(`${what} meanwhile: that nothing was due is not recorded`, async () => {
    const failed = { outcome: 'failed', code: 'invalid', reason: 'No.' } as const;
    const begun = await begin({ handledDispatch: 1, attempts: [failed] });
    const planned = await begun.plan();
    const { step } = planned;
    assert.ok(step.kind === 'rest');
    await change(begun);
    const before = await begun.row();
    assert.equal(await recordRest(ledger.db, describeDecision(planned), step), false);
    assert.deepEqual(await begun.row(), before);
  });
}

test('retried during a withdrawal: the decision is not written, the withdrawn copy is', async () => {
  const { target, mark, end, row } = await begin(THERE, { status: 'DRAFT' });
  const sent = await mark();
  await retryDelivery(ledger.db, target);
  const { handledDispatch } = await row();
  assert.equal(await end(sent, { kind: 'withdrawn', deleted: false, mayReturn: false }), false);
  const { presence, handledDispatch: after } = await row();
  assert.deepEqual([presence, after], ['hidden', handledDispatch]);
});

for (const state of ['failed', 'unknown'] as const) {
  test(`an attempt that is recorded as ${state} after another publish leaves that publish due`, async () => {
    const { articleId, mark, decision, end, row, step } = await begin();
    const { dispatch, attemptId } = await mark();
    await sql`update articles set dispatch = 2 where id = ${articleId}`.execute(ledger.db);
    const { dueAt } = await row();
    assert.equal(await end({ ...(await decision()), attemptId, dispatch }, { ...FAILED, state }), false);
    assert.deepEqual([(await row()).dueAt, await step()], [dueAt, state === 'failed' ? 'create' : 'reconcile']);
  });
}

test('a success recorded directly before an unknown ending remains the only outcome', async () => {
  const { mark, end, row, events } = await begin();
  const sent = await mark();
  await end(sent, DELIVERED);
  const before = await row();
  assert.equal(await end(sent, { ...FAILED, state: 'unknown' }), false);
  assert.deepEqual(await row(), before);
  assert.deepEqual(await events(), ['CROSS_POST_SUCCESS']);
});

test('an adopted post has unknown content and is stale until it is updated', async () => {
  const { mark, end, row, step } = await begin();
  await end(await mark(), ADOPTED);
  const { state, remoteId, contentHash } = await row();
  assert.deepEqual([state, remoteId, contentHash, await step()], ['stale', 'found', null, 'update']);
});

test('an absence is recorded only for a create', async () => {
  const { mark, end, row, outcomes } = await begin(THERE);
  await end(await mark(), { kind: 'absent' });
  assert.deepEqual([(await row()).state, await outcomes()], ['delivering', [null]]);
});

test('an article edited during its delivery is stale after it', async () => {
  const { articleId, mark, end, row } = await begin();
  const sent = await mark();
  await sql`update articles set revision = 2, dispatch = 2 where id = ${articleId}`.execute(ledger.db);
  assert.equal(await end(sent, DELIVERED), false);
  assert.equal((await row()).state, 'stale');
});

test('an article that became a draft during its delivery is withdrawn after it', async () => {
  const { articleId, mark, end, step } = await begin();
  const sent = await mark();
  await sql`update articles set status = 'DRAFT', dispatch = 2 where id = ${articleId}`.execute(ledger.db);
  assert.equal(await end(sent, DELIVERED), false);
  assert.equal(await step(), 'withdraw');
});

test('a deleted post is recorded with its id, and the next publish creates another post', async () => {
  const { articleId, mark, answer, end, row, step } = await begin(THERE, { status: 'DRAFT' });
  const sent = await mark();
  await answer(sent, { kind: 'done', remote: null, deleted: true });
  assert.equal(await end(sent, { kind: 'withdrawn', deleted: true, mayReturn: false }), true);
  const { presence, remoteId, withdrawnAt } = await row();
  assert.deepEqual([presence, remoteId, withdrawnAt !== null], ['deleted', 'r', true]);
  await sql`update articles set status = 'PUBLISHED', dispatch = 2 where id = ${articleId}`.execute(ledger.db);
  assert.equal(await step(), 'create');
});

test('a create of unknown outcome remains open after any failed look-up', async () => {
  const endings: RecordedOutcome[] = [
    { ...RETRY, isUnsettled: true },
    { ...FAILED, state: 'unknown' },
    { ...REFUSED, isUnsettled: true },
  ];
  for (const ending of endings) {
    const { mark, end, outcomes } = await begin();
    assert.equal(await end(await mark(), ending), true);
    assert.deepEqual(await outcomes(), [null], ending.kind);
  }
});

test('a rejection and a retry without a post end the attempt, and a step refused before sending adds one', async () => {
  for (const [ending, outcome] of [
    [FAILED, 'failed'],
    [RETRY, 'retried'],
  ] as const) {
    const { mark, end, outcomes } = await begin();
    await end(await mark(), ending);
    assert.deepEqual(await outcomes(), [outcome]);
    const unsent = await begin();
    await unsent.end(await unsent.decision(randomUUID()), ending);
    const [attempt] = await unsent.attempts();
    assert.deepEqual([attempt?.outcome, attempt?.wasSent, attempt?.code], [outcome, false, ending.code]);
    assert.deepEqual(await unsent.error(), [ending.code, ending.reason]);
  }
});

test('giving up an attempt of an earlier publish ends the due publish', async () => {
  const { articleId, mark, decision, end, row } = await begin();
  await mark();
  await sql`update articles set dispatch = 2 where id = ${articleId}`.execute(ledger.db);
  await end(await decision(), FAILED);
  const { state, errorCode, needsAuthor } = await row();
  assert.deepEqual([state, errorCode, needsAuthor], ['failed', 'invalid', true]);
});

test('a refused credential notifies its author once for all its deliveries', async () => {
  const one = await begin();
  const other = await ledger.addDelivery(await ledger.addArticle(one.authorId), { dueAt: new Date() });
  const sent = await one.mark();
  assert.equal(await one.end(sent, REFUSED), true);
  assert.equal(await one.end({ ...sent, deliveryId: other, attemptId: randomUUID() }, REFUSED), true);
  for (const id of [one.deliveryId, other]) assert.equal((await ledger.delivery(id)).state, 'held');
  assert.deepEqual(await one.events(), ['CROSS_POST_FAILED']);
});

test('an update of unknown outcome clears the post’s time, an update that was not executed does not', async () => {
  for (const [code, changedAt] of [
    ['outcome_unknown', null],
    ['unavailable', 't'],
  ] as const) {
    const { mark, end, row } = await begin(THERE);
    await end(await mark(), { ...RETRY, code });
    assert.equal((await row()).remoteChangedAt, changedAt, code);
  }
});

test('a refused credential marks its own connection, and no other of the author or of anybody else', async () => {
  const begun = await begin();
  const other = await begin();
  const more = await ledger.addConnection(begun.authorId, 'blogsite_b');
  await begun.end(await begun.mark(), REFUSED);
  const readStatus = async (id: string) =>
    (await ledger.db.selectFrom('connections').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;
  const statuses = await Promise.all([begun.connectionId, more, other.connectionId].map(readStatus));
  assert.deepEqual(statuses, ['unauthorised', 'active', 'active']);
});

test('a publish that comes before an earlier one is given up is still sent', async () => {
  const { articleId, deliveryId, step, row, events } = await begin();
  await sql`update articles set dispatch = 2, revision = 2 where id = ${articleId}`.execute(ledger.db);
  const giveUp = (dispatch: number) => recordGivenUp(ledger.db, { deliveryId }, { reason: 'Given up.', dispatch });
  assert.equal(await giveUp(1), false);
  assert.deepEqual([await step(), await events()], ['create', ['CROSS_POST_FAILED']]);
  assert.equal(await giveUp(2), true);
  assert.deepEqual([(await row()).state, await events()], ['failed', ['CROSS_POST_FAILED', 'CROSS_POST_FAILED']]);
});
