/**
 * Tests crossing records: an answer after its attempt counts as lost, and ids that a site reuses.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { DestinationAnswer, RecordedOutcome } from '../../../delivery/types.ts';
import { recordOutcome } from '../../../store/attempts/record-outcome.ts';
import { recordRest } from '../../../store/attempts/record-rest.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import {
  begin,
  CUT,
  DELIVERED,
  type Decision,
  FAILED,
  MADE,
  REMOTE,
  RETRY,
  type StartedDelivery,
} from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

test('an update that is answered between the plan and the mark of its repeat is not sent again', async () => {
  const { mark, prepare, end, events } = await begin(ledger, {
    dueAt: new Date(),
    copy: { remoteId: 'r', contentHash: 'old', revision: 1 },
  });
  const sent = await mark();
  const markAgain = await prepare();
  await end(sent, DELIVERED, MADE);
  assert.deepEqual([await markAgain(), await events()], [null, ['CROSS_POST_SUCCESS']]);
});

test('a create planned before a look-up adopted its post is not sent', async () => {
  const { prepare, end, decision, row } = await begin(ledger);
  const mark = await prepare();
  const remote = { remoteId: 'there', url: 'https://there.example/there', changedAt: null };
  assert.equal(await end(await decision(randomUUID()), { kind: 'adopted', remote }), true);
  assert.deepEqual([await mark(), (await row()).remoteId], [null, 'there']);
});

for (const isRecorded of [true, false]) {
  test(`a post adopted before its create is answered is notified once${isRecorded ? ', recorded as delivered first' : ''}`, async () => {
    const { mark, end, answer, plan, decision, row, events, step } = await begin(ledger);
    const sent = await mark();
    assert.equal(await end(sent, { kind: 'adopted', remote: REMOTE }), true);
    assert.equal(await step(), 'update');
    if (isRecorded) assert.equal(await end(sent, DELIVERED, MADE), false);
    await answer(sent, MADE);
    const planned = await plan();
    assert.equal(planned.step.kind, 'rest');
    if (planned.step.kind !== 'rest') return;
    await recordRest(ledger.db, { ...(await decision(randomUUID())), revision: planned.revision }, planned.step);
    const { state, dueAt } = await row();
    assert.deepEqual([state, dueAt, await events()], ['delivered', null, ['CROSS_POST_SUCCESS']]);
  });
}

for (const isElsewhere of [false, true]) {
  const when = isElsewhere ? ', after another account was connected' : '';
  /** Elsewhere only the answer is recorded, because no workflow ends the attempt. */
  const record = async (
    begun: StartedDelivery,
    sent: Decision,
    answer: DestinationAnswer,
    outcome: RecordedOutcome,
  ) => {
    if (!isElsewhere) return begun.end(sent, outcome, answer);
    const accountId = await ledger.addAccount(begun.authorId);
    await sql`update connections set account_id = ${accountId} where id = ${begun.connectionId}`.execute(ledger.db);
    await begun.answer(sent, answer);
  };
  const findCopy = ({ articleId }: StartedDelivery) =>
    ledger.db.selectFrom('copies').selectAll().where('articleId', '=', articleId).executeTakeFirstOrThrow();

  test(`a post is recorded with an id that another article had before the site was reinstalled${when}`, async () => {
    const begun = await begin(ledger);
    const other = await ledger.addArticle(begun.authorId);
    const copy = { remoteId: 'r', contentHash: 'sent', revision: 1 };
    const otherId = await ledger.addDelivery(other, { handledDispatch: 1, copy });
    await record(begun, await begun.mark(), MADE, DELIVERED);
    const { presence, remoteId } = await findCopy({ ...begun, articleId: other });
    assert.deepEqual([presence, remoteId], ['absent', null]);
    const { presence: own, remoteId: ownId } = await findCopy(begun);
    assert.deepEqual([own, ownId, await begun.events()], ['live', 'r', ['CROSS_POST_SUCCESS']]);
    if (!isElsewhere) assert.equal((await ledger.delivery(otherId)).presence, 'absent');
  });

  test(`a withdrawal clears the remote change time${when}`, async () => {
    const copy = { remoteId: 'r', contentHash: 'old', revision: 1, remoteChangedAt: 'before' };
    const begun = await begin(ledger, { dueAt: new Date(), copy }, { status: 'DRAFT' });
    const done = { kind: 'done', remote: null } as const;
    await record(begun, await begun.mark(), done, { kind: 'withdrawn', deleted: false, mayReturn: false });
    const { presence, remoteChangedAt, withdrawnAt } = await findCopy(begun);
    assert.deepEqual([presence, remoteChangedAt, withdrawnAt !== null], ['hidden', null, true]);
  });

  test(`the remote change time is not stored while an earlier update may still arrive${when}`, async () => {
    const copy = { remoteId: 'r', contentHash: 'old', revision: 1, remoteChangedAt: 'before' };
    const earlier = { action: 'update', startedAt: new Date(Date.now() - 600_000) } as const;
    const begun = await begin(ledger, { dueAt: new Date(), copy, attempts: [earlier] });
    const remote = { ...REMOTE, changedAt: 'after' };
    await record(begun, await begun.mark(), { kind: 'done', remote }, { kind: 'delivered', remote });
    const { presence, remoteChangedAt, revision } = await findCopy(begun);
    assert.deepEqual([presence, remoteChangedAt, revision], ['live', null, 1]);
  });
}

for (const [what, isAnswered] of [
  ['was lost with its worker', false],
  ['had an unknown outcome and is retried', true],
] as const) {
  test(`the same text is sent again after a withdrawal that ${what} and another one that was rejected`, async () => {
    const begun = await begin(ledger, { handledDispatch: 1, copy: { remoteId: 'r', revision: 1 } });
    const { articleId, plan, mark, end, answer, step } = begun;
    const { db } = ledger;
    const { hash } = (await plan()).situation.article;
    await db.updateTable('copies').set({ contentHash: hash }).where('articleId', '=', articleId).execute();
    const change = (status: 'DRAFT' | 'PUBLISHED', dispatch: number) =>
      db.updateTable('articles').set({ status, dispatch }).where('id', '=', articleId).execute();
    await change('DRAFT', 2);
    const first = await mark();
    if (isAnswered) {
      await answer(first, CUT);
      await end(first, { ...RETRY, code: 'outcome_unknown' });
    }
    const second = await mark();
    await answer(second, { kind: 'rejected', code: 'forbidden', reason: 'No.' });
    assert.equal(await end(second, FAILED), true);
    // Neither request can still arrive.
    const startedAt = new Date(Date.now() - 1_800_000);
    await db.updateTable('deliveryAttempts').set({ startedAt }).where('deliveryId', '=', begun.deliveryId).execute();
    await change('PUBLISHED', 3);
    assert.equal(await step(), 'update');
  });
}

/** The site was set up again: it gives the id `r`, which a copy has, to a new post of another article. */
async function reuseId(authorId: string, { connectionId, connectionVersion }: Decision) {
  const attemptId = randomUUID();
  const articleId = await ledger.addArticle(authorId, { dispatch: 1 });
  const deliveryId = await ledger.addDelivery(articleId, { dueAt: new Date(), attempts: [{ id: attemptId }] });
  const { version } = await ledger.delivery(deliveryId);
  const of = { deliveryId, attemptId, version: version ?? 0, dispatch: 1, connectionId, connectionVersion };
  assert.equal(await recordOutcome(ledger.db, { ...of, outcome: DELIVERED }, MADE), true);
}

for (const deleted of [false, true]) {
  test(`a withdrawal (deleted: ${deleted}) is recorded although the id of its post was reused meanwhile`, async () => {
    const copy = { remoteId: 'r', revision: 1 };
    const { authorId, mark, answer, end } = await begin(ledger, { dueAt: new Date(), copy }, { status: 'DRAFT' });
    const sent = await mark();
    await reuseId(authorId, sent);
    const errors: string[] = [];
    const note = (error: Error) => errors.push(error.message);
    await answer(sent, { kind: 'done', remote: null, deleted }).catch(note);
    await end(sent, { kind: 'withdrawn', deleted, mayReturn: false }).catch(note);
    assert.deepEqual(errors, []);
  });
}

test('a late answer of an ended create is stored although another article has that post', async () => {
  const { authorId, mark, end, answer, attempts } = await begin(ledger);
  const sent = await mark();
  assert.equal(await end(sent, { kind: 'absent' }), true);
  const copy = { remoteId: 'r', contentHash: 'sent', revision: 1 };
  await ledger.addDelivery(await ledger.addArticle(authorId), { handledDispatch: 1, copy });
  // As activities/delivery/store-answer.ts does.
  assert.equal(await end(sent, DELIVERED, MADE), false);
  await answer(sent, MADE);
  assert.deepEqual((await attempts())[0]?.answer, MADE);
});
