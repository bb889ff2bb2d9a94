/** Records that cross: an answer that comes while its attempt is taken for lost, and ids that a site uses again. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { recordRest } from '../../../store/deliveries/record-rest.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { begin, CUT, DELIVERED, FAILED, MADE, REMOTE, RETRY } from './support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

test('an update that is answered between the plan of its repeat and the mark of it is not sent again', async () => {
  const { mark, prepare, end, events } = await begin(ledger, {
    dueAt: new Date(),
    copy: { remoteId: 'r', contentHash: 'old', revision: 1 },
  });
  const sent = await mark();
  const markAgain = await prepare();
  await end(sent, DELIVERED, MADE);
  assert.deepEqual([await markAgain(), await events()], [null, ['CROSS_POST_SUCCESS']]);
});

test('a create that is planned before a look-up adopts its post is not sent', async () => {
  const { prepare, end, decision, row } = await begin(ledger);
  const mark = await prepare();
  const remote = { remoteId: 'there', url: 'https://there.example/there', changedAt: null };
  assert.equal(await end(await decision(randomUUID()), { kind: 'adopted', remote }), true);
  assert.deepEqual([await mark(), (await row()).remoteId], [null, 'there']);
});

for (const isRecorded of [true, false]) {
  test(`a post that is adopted while its create is still being answered is notified once${isRecorded ? ', recorded as delivered first' : ''}`, async () => {
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

test('a post is recorded whose id another article had before its site was set up again', async () => {
  const { authorId, mark, end, row, events } = await begin(ledger);
  const other = await ledger.addArticle(authorId);
  const copy = { remoteId: 'r', contentHash: 'sent', revision: 1 };
  const otherId = await ledger.addDelivery(other, { handledDispatch: 1, copy });
  await end(await mark(), DELIVERED, MADE);
  const { presence, remoteId } = await ledger.delivery(otherId);
  assert.deepEqual([presence, remoteId], ['absent', null]);
  assert.deepEqual([(await row()).state, await events()], ['delivered', ['CROSS_POST_SUCCESS']]);
});

for (const [what, isAnswered] of [
  ['was lost with its worker', false],
  ['was cut and is retried', true],
] as const) {
  test(`the same text is sent again after a withdrawal that ${what}, and another one that was refused`, async () => {
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
    // Neither can still arrive.
    const startedAt = new Date(Date.now() - 1_800_000);
    await db.updateTable('deliveryAttempts').set({ startedAt }).where('deliveryId', '=', begun.deliveryId).execute();
    await change('PUBLISHED', 3);
    assert.equal(await step(), 'update');
  });
}
