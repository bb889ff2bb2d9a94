/** An attempt whose call was lost before anybody wrote an answer down: its author sees that from the next plan on, in the cell and in the timeline. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Insertable } from 'kysely';
import { describeAttempt } from '../../../api/desk/articles/describe-attempt.ts';
import type { DB } from '../../../store/db/types.ts';
import { listAttempts } from '../../../store/deliveries/attempts.ts';
import { recordAnswer, recordUnanswered } from '../../../store/deliveries/end-attempt.ts';
import { markRepeat } from '../../../store/deliveries/mark-attempt.ts';
import { recordLeft, recordSkipped } from '../../../store/deliveries/record-failure.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const LOST = 'Nobody knows yet.';
const CUT = { kind: 'unknown', reason: 'The connection was cut.' } as const;

async function begin(
  delivery: Partial<Insertable<DB['deliveries']>> = {},
  open: Partial<Insertable<DB['deliveryAttempts']>> = {},
) {
  const { db } = ledger;
  const authorId = await ledger.addAuthor();
  await ledger.addConnection(authorId);
  const articleId = await ledger.addArticle(authorId);
  // As `markAttempt` leaves them: first the row is changed, then the attempt is added.
  const updatedAt = new Date(Date.now() - 1_000);
  const deliveryId = await ledger.addDelivery(articleId, { state: 'delivering', updatedAt, ...delivery }, open);
  return {
    deliveryId,
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

test('what went wrong before an attempt is not said of it, and gives way to its loss', async () => {
  const { say, read, timeline } = await begin({ lastErrorCode: 'unavailable', lastError: 'It was away.' });
  assert.deepEqual(await timeline(), SENDING);
  await say();
  assert.deepEqual(await read(), ['outcome_unknown', LOST]);
  assert.deepEqual(await timeline(), UNKNOWN);
});

test('what was said since it began says more, and stays', async () => {
  const updatedAt = new Date(Date.now() + 1_000);
  const { say, read, timeline } = await begin({ lastErrorCode: 'interrupted', lastError: 'Lost twice.', updatedAt });
  await say();
  assert.deepEqual(await read(), ['interrupted', 'Lost twice.']);
  assert.deepEqual(await timeline(), { ...UNKNOWN, reason: 'Lost twice.' });
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
