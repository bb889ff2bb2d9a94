/** A record of an attempt that comes late, or twice, changes nothing; and one of an open outcome leaves it open. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Insertable } from 'kysely';
import { moveDeliveries } from '../../../store/connections/move-deliveries.ts';
import type { Database } from '../../../store/db/database.ts';
import type { DB } from '../../../store/db/types.ts';
import { recordFailed, recordRetry, recordUnauthorised } from '../../../store/deliveries/record-failure.ts';
import {
  recordAbsent,
  recordAdopted,
  recordDelivered,
  recordWithdrawn,
} from '../../../store/deliveries/record-outcome.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const now = new Date();
const remote = { remoteId: 'r', url: 'https://there.example/r', changedAt: null };
const REFUSED = { code: 'invalid', reason: 'No.' };

/** The second attempt is under way, and its outcome is open. */
async function beginSecond(
  delivery: Partial<Insertable<DB['deliveries']>> = {},
  open: Partial<Insertable<DB['deliveryAttempts']>> = {},
  article: Partial<Insertable<DB['articles']>> = {},
) {
  const authorId = await ledger.addAuthor();
  const connectionId = await ledger.addConnection(authorId);
  const articleId = await ledger.addArticle(authorId, article);
  const deliveryId = await ledger.addDelivery(articleId, { state: 'delivering', attempts: 2, ...delivery }, open);
  const key = (attempt: number) => ({ deliveryId, attempt, now, outcomeKey: `${deliveryId}:${attempt}` });
  return {
    ...{ articleId, connectionId, deliveryId, first: key(1), second: key(2) },
    read: () => ledger.delivery(deliveryId),
    isOpen: async () => (await ledger.openAttempt(deliveryId)) !== undefined,
    notices: () => ledger.db.selectFrom('notifications').select('type').where('userId', '=', authorId).execute(),
  };
}

type Second = Awaited<ReturnType<typeof beginSecond>>;

const LATE: Record<string, (db: Database, second: Second) => Promise<unknown>> = {
  'an absence': (db, { first }) => recordAbsent(db, first),
  'a found post': (db, { first }) => recordAdopted(db, { ...first, remote }),
  'a delivery': (db, { first }) => recordDelivered(db, { ...first, remote }),
  'a withdrawal': (db, { first }) => recordWithdrawn(db, { ...first, deleted: true, dispatch: 1 }),
  'a failure': (db, { first }) => recordFailed(db, { ...first, ...REFUSED, state: 'failed', dispatch: 1 }),
  'a retry': (db, { first }) => recordRetry(db, { ...first, ...REFUSED, nextAttemptAt: now, stillInFlight: false }),
};
for (const [what, record] of Object.entries(LATE)) {
  test(`${what} of an attempt that another one has followed is not recorded`, async () => {
    const second = await beginSecond();
    const before = await second.read();
    await record(ledger.db, second);
    assert.deepEqual(await second.read(), before);
    assert.equal(await second.isOpen(), true);
    assert.deepEqual(await second.notices(), []);
  });
}

test('a success that was recorded right before its author is told that nobody knows stays the only outcome', async () => {
  const second = await beginSecond();
  await recordDelivered(ledger.db, { ...second.second, remote });
  const before = await second.read();
  const unknown = { ...second.second, ...REFUSED, outcomeKey: 'unknown', state: 'unknown', dispatch: 1 } as const;
  assert.equal(await recordFailed(ledger.db, unknown), false);
  assert.deepEqual(await second.read(), before);
  assert.deepEqual(await second.notices(), [{ type: 'CROSS_POST_SUCCESS' }]);
});

test('a post that is found when the row knows one already takes nobody’s place', async () => {
  const second = await beginSecond({ remoteId: 'known' });
  await recordAdopted(ledger.db, { ...second.second, remote });
  assert.equal((await second.read()).remoteId, 'known');
});

test('a found post carries what nobody knows: it is stale until it is updated', async () => {
  const second = await beginSecond();
  await recordAdopted(ledger.db, { ...second.second, remote });
  const { state, remoteId, deliveredHash } = await second.read();
  assert.deepEqual([state, remoteId, deliveredHash], ['stale', 'r', null]);
});

test('only a create can turn out to have made nothing', async () => {
  const second = await beginSecond({ remoteId: 'known' }, { action: 'update' });
  await recordAbsent(ledger.db, second.second);
  assert.equal((await second.read()).state, 'delivering');
  assert.equal(await second.isOpen(), true);
});

test('a delivery is recorded once, and the second record says that more may be due', async () => {
  const second = await beginSecond();
  assert.deepEqual(await recordDelivered(ledger.db, { ...second.second, remote }), { upToDate: true });
  const before = await second.read();
  assert.deepEqual(await recordDelivered(ledger.db, { ...second.second, remote }), { upToDate: false });
  assert.deepEqual(await second.read(), before);
  assert.equal((await second.notices()).length, 1);
});

test('a revision that was edited meanwhile is carried, and is not what the article says now', async () => {
  const second = await beginSecond({}, {}, { revision: 2 });
  assert.deepEqual(await recordDelivered(ledger.db, { ...second.second, remote }), { upToDate: false });
  assert.equal((await second.read()).state, 'stale');
});

test('what became a draft while it was sent is not done: it is to be taken back', async () => {
  const second = await beginSecond({}, {}, { status: 'DRAFT' });
  assert.deepEqual(await recordDelivered(ledger.db, { ...second.second, remote }), { upToDate: false });
});

test('a post that was deleted leaves its id behind only as a former one', async () => {
  const second = await beginSecond({ remoteId: 'gone', remoteUrl: remote.url }, { action: 'withdraw' });
  await recordWithdrawn(ledger.db, { ...second.second, deleted: true, dispatch: 1 });
  const { remoteId, formerRemoteIds } = await second.read();
  assert.deepEqual([remoteId, formerRemoteIds], [null, ['gone']]);
});

test('a create that may have happened stays open, whatever became of the look-up for it', async () => {
  const retried = await beginSecond();
  await recordRetry(ledger.db, { ...retried.second, ...REFUSED, nextAttemptAt: now, stillInFlight: true });
  assert.equal(await retried.isOpen(), true);
  const givenUp = await beginSecond();
  await recordFailed(ledger.db, { ...givenUp.second, ...REFUSED, state: 'unknown', dispatch: 1 });
  assert.equal(await givenUp.isOpen(), true);
  const unauthorised = await beginSecond();
  const { connectionId, second } = unauthorised;
  const refusal = { ...second, connectionId, generation: 1, reason: 'The key was refused.', stillInFlight: true };
  assert.equal(await recordUnauthorised(ledger.db, refusal), true);
  assert.equal(await unauthorised.isOpen(), true);
});

test('a refusal ends the attempt, and a retry that made nothing does too', async () => {
  const failed = await beginSecond();
  await recordFailed(ledger.db, { ...failed.second, ...REFUSED, state: 'failed', dispatch: 1 });
  assert.equal(await failed.isOpen(), false);
  const retried = await beginSecond();
  await recordRetry(ledger.db, { ...retried.second, ...REFUSED, nextAttemptAt: now, stillInFlight: false });
  assert.equal(await retried.isOpen(), false);
});

test('of a refused credential its author is told once, however many deliveries find it out', async () => {
  const { db } = ledger;
  const authorId = await ledger.addAuthor();
  const connectionId = await ledger.addConnection(authorId);
  for (let n = 0; n < 2; n++) {
    const deliveryId = await ledger.addDelivery(await ledger.addArticle(authorId), { state: 'delivering' }, {});
    const key = { deliveryId, attempt: 1, now, outcomeKey: `${deliveryId}:1` };
    const refusal = { ...key, connectionId, generation: 1, reason: 'No.', stillInFlight: false };
    assert.equal(await recordUnauthorised(db, refusal), true);
    assert.equal((await ledger.delivery(deliveryId)).state, 'held');
  }
  const told = db.selectFrom('notifications').select('type').where('userId', '=', authorId);
  assert.deepEqual(await told.execute(), [{ type: 'CROSS_POST_FAILED' }]);
});

test('what was planned for one account is not recorded under another one', async () => {
  const userId = await ledger.addAuthor();
  await ledger.addConnection(userId);
  const deliveryId = await ledger.addDelivery(await ledger.addArticle(userId), { accountId: null });
  const accountId = await ledger.addAccount(userId);
  await ledger.db
    .transaction()
    .execute((tx) => moveDeliveries(tx, { userId, destination: 'blogsite_a', accountId, now }));
  const planned = { deliveryId, attempt: 0, now, outcomeKey: `${deliveryId}:0` };
  const isNotified = await recordFailed(ledger.db, { ...planned, ...REFUSED, state: 'failed', dispatch: 1 });
  assert.equal(isNotified, false);
  assert.equal((await ledger.delivery(deliveryId)).state, 'pending');
});

test('an update that may have arrived may have moved the post’s time, which is not known from then on; one that did not leaves it', async () => {
  for (const [code, remoteChangedAt] of [
    ['outcome_unknown', null],
    ['unavailable', 't'],
  ] as const) {
    const { second, read } = await beginSecond({ remoteId: 'r', remoteChangedAt: 't' }, { action: 'update' });
    await recordRetry(ledger.db, { ...second, code, reason: 'Why.', nextAttemptAt: now, stillInFlight: false });
    assert.equal((await read()).remoteChangedAt, remoteChangedAt, code);
  }
});
