/** An attempt whose call was lost before anybody wrote an answer down: its author sees that from the next plan on, in the cell and in the timeline. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Insertable } from 'kysely';
import { describeAttempt } from '../../../api/desk/articles/describe-attempt.ts';
import type { DB } from '../../../store/db/types.ts';
import { listAttempts } from '../../../store/deliveries/attempts.ts';
import { retryDelivery, withdrawDelivery } from '../../../store/deliveries/commands.ts';
import { recordAnswer, recordUnanswered } from '../../../store/deliveries/end-attempt.ts';
import { markAttempt, markRepeat } from '../../../store/deliveries/mark-attempt.ts';
import { recordFailed, recordLeft, recordRetry, recordSkipped } from '../../../store/deliveries/record-failure.ts';
import { recordAbsent } from '../../../store/deliveries/record-outcome.ts';
import { loadDelivery } from '../../../store/deliveries/situation.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { waitForLock } from '../../support/locks.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const LOST = 'Nobody knows yet.';
const AWAY = { lastErrorCode: 'unavailable', lastError: 'It was away.' };
const CUT = { kind: 'unknown', reason: 'The connection was cut.' } as const;

async function begin(
  delivery: Partial<Insertable<DB['deliveries']>> = {},
  open: Partial<Insertable<DB['deliveryAttempts']>> | null = {},
) {
  const { db } = ledger;
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  const articleId = await ledger.addArticle(authorId);
  // As `markAttempt` leaves them: first the row is changed, then the attempt is added.
  const updatedAt = new Date(Date.now() - 1_000);
  const row = { state: 'delivering', updatedAt, ...delivery } as const;
  const deliveryId = await ledger.addDelivery(articleId, open ? row : { ...row, attempts: 0 }, open ?? undefined);
  return {
    deliveryId,
    target: { authorId, articleId, destination: 'blogsite_a' } as const,
    say: (reason = LOST, number = 1) => recordUnanswered(db, { deliveryId, number, reason }),
    answer: () => recordAnswer(db, { deliveryId, number: 1, answer: CUT }),
    async read() {
      const { lastErrorCode, lastError } = await ledger.delivery(deliveryId);
      return [lastErrorCode, lastError];
    },
    async timeline() {
      const [row] = await listAttempts(db, { authorId, articleId, limit: 1 });
      assert.ok(row);
      const { answer, word, reason } = describeAttempt(row);
      return { answer, word, reason };
    },
  };
}

const SENDING = { answer: 'No answer yet.', word: 'open', reason: null };
const UNKNOWN = { answer: 'It is not known whether it was answered.', word: 'not known', reason: LOST };

test('the first loss of a call is seen in the row and in the timeline, however often it is said', async () => {
  const { say, read, timeline } = await begin();
  assert.deepEqual([await read(), await timeline()], [[null, null], SENDING]);
  for (let again = 0; again < 2; again++) {
    await say();
    assert.deepEqual([await read(), await timeline()], [['outcome_unknown', LOST], UNKNOWN]);
  }
});

for (const [what, act] of [
  ['nobody does anything', () => Promise.resolve()],
  ['its author withdraws the post meanwhile', withdrawDelivery],
  ['its author orders a retry meanwhile', retryDelivery],
] as const)
  test(`what went wrong before an attempt is not said of it, and gives way to its loss, where ${what}`, async () => {
    const { db } = ledger;
    const { target, say, read, timeline } = await begin({ state: 'stale', remoteId: '1', ...AWAY }, null);
    const { situation, revision, lookUp } = (await loadDelivery(db, target, 'https://here.example')) ?? assert.fail();
    const connection = situation.connection ?? assert.fail();
    await markAttempt(db, { situation, connection, action: 'update', revision, lookUp, payload: null });
    await act(db, { ...target, now: new Date(Date.now() + 1_000) });
    assert.deepEqual(await timeline(), SENDING, 'it is under way');
    await say();
    assert.deepEqual(await read(), ['outcome_unknown', LOST]);
    assert.deepEqual(await timeline(), UNKNOWN);
  });

for (const [clock, aheadMs] of [
  ['ahead of', 600_000],
  ['behind', -600_000],
] as const)
  test(`what was said since it began says more, and stays, by a clock that is ${clock} the database’s`, async () => {
    const { deliveryId, say, read, timeline } = await begin();
    const now = new Date(Date.now() + aheadMs);
    const retry = { code: 'rate_limited', reason: 'Too many look-ups.', nextAttemptAt: now, stillInFlight: true };
    await recordRetry(ledger.db, { deliveryId, attempt: 1, now, ...retry });
    await say();
    assert.deepEqual(await read(), ['rate_limited', retry.reason]);
    assert.deepEqual(await timeline(), { ...UNKNOWN, reason: retry.reason });
  });

test('its end stays unknown in the timeline when its author is asked', async () => {
  const { deliveryId, say, timeline } = await begin();
  await say();
  const asked = { state: 'unknown', dispatch: 1, code: 'outcome_unknown', reason: 'Look there.' } as const;
  await recordFailed(ledger.db, { deliveryId, attempt: 1, now: new Date(), outcomeKey: deliveryId, ...asked });
  assert.deepEqual(await timeline(), { ...UNKNOWN, reason: asked.reason });
});

for (const code of ['outcome_unknown', 'unknown_outcome'])
  test(`once it is known to have made nothing, nobody reads that it is not known (${code})`, async () => {
    const { deliveryId, read } = await begin({ lastErrorCode: code, lastError: LOST });
    for (let again = 0; again < 2; again++) {
      await recordAbsent(ledger.db, { deliveryId, attempt: 1, now: new Date() });
      assert.deepEqual(await read(), ['made_nothing', 'The last attempt was looked for, and had made no post there.']);
    }
  });

test('a proof that it made nothing leaves other reasons, and says nothing where there is none', async () => {
  for (const said of [AWAY, { lastErrorCode: null, lastError: null }]) {
    const { deliveryId, read } = await begin(said);
    await recordAbsent(ledger.db, { deliveryId, attempt: 1, now: new Date() });
    assert.deepEqual(await read(), [said.lastErrorCode, said.lastError]);
  }
});

test('an answer that is being written down at that moment is what counts', async () => {
  const { deliveryId, say, read } = await begin();
  let isSaid: Promise<void> | undefined;
  await ledger.db.transaction().execute(async (tx) => {
    await tx.selectFrom('deliveries').select('id').where('id', '=', deliveryId).forUpdate().execute();
    isSaid = say();
    await waitForLock(ledger.db);
    const answer = { answer: JSON.stringify(CUT), answeredAt: new Date() };
    await tx.updateTable('deliveryAttempts').set(answer).where('deliveryId', '=', deliveryId).execute();
    const said = { lastErrorCode: 'outcome_unknown', lastError: CUT.reason };
    await tx.updateTable('deliveries').set(said).where('id', '=', deliveryId).execute();
  });
  await isSaid;
  assert.deepEqual(await read(), ['outcome_unknown', CUT.reason]);
});

test('a loss is not said of an attempt that was answered, has ended, or is another one’s', async () => {
  const answered = await begin();
  await answered.answer();
  await answered.say();
  assert.deepEqual(await answered.read(), ['outcome_unknown', CUT.reason]);
  const ended = await begin({}, { endedAt: new Date(), outcome: 'void' });
  await ended.say();
  assert.deepEqual(await ended.read(), [null, null]);
  const other = await begin();
  await other.say(LOST, 2);
  assert.deepEqual(await other.read(), [null, null]);
  const asked = await begin({ state: 'unknown', lastErrorCode: 'skipped', lastError: 'Skipped.' });
  await asked.say();
  assert.deepEqual(await asked.read(), ['skipped', 'Skipped.']);
});

test('an answer that comes all the same is what counts', async () => {
  const { say, answer, read, timeline } = await begin();
  await say();
  await answer();
  assert.deepEqual(await read(), ['outcome_unknown', CUT.reason]);
  assert.equal((await timeline()).reason, CUT.reason);
});

test('a repeat that is lost as well is said anew, by what is done then', async () => {
  const { deliveryId, say, read, timeline } = await begin({}, { payload: '{}' });
  await say();
  assert.ok(await markRepeat(ledger.db, deliveryId, { number: 1, withinMs: 60_000 }));
  assert.deepEqual(await timeline(), SENDING, 'it is under way');
  await say('Look there.');
  assert.deepEqual(await read(), ['outcome_unknown', 'Look there.']);
});

test('where nothing is due after the loss, or its author skipped it, the row does not say for ever that something is sent', async () => {
  const { db } = ledger;
  const lost = () => begin({ remoteId: 'r1', nextAttemptAt: new Date() }, { action: 'update' });
  const readState = async (deliveryId: string) => {
    const { state, lastErrorCode, nextAttemptAt } = await ledger.delivery(deliveryId);
    return [state, lastErrorCode, nextAttemptAt];
  };
  const left = await lost();
  for (let again = 0; again < 2; again++) await recordLeft(db, left.deliveryId, new Date());
  assert.deepEqual(await readState(left.deliveryId), ['stale', 'outcome_unknown', null]);
  assert.equal((await left.timeline()).word, 'open', 'an answer that comes all the same counts');
  const skipped = await lost();
  await recordSkipped(db, skipped.deliveryId, new Date());
  assert.deepEqual(await readState(skipped.deliveryId), ['stale', 'skipped', null]);
  const delivered = await begin({ state: 'delivered', remoteId: 'r1' });
  await recordLeft(db, delivered.deliveryId, new Date());
  assert.deepEqual(await readState(delivered.deliveryId), ['delivered', null, null]);
});
