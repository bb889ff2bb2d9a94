/** Transactions lock rows in the order listed in `store/deliveries/decide.ts`. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { recordGivenUp, recordProblem } from '../../../store/attempts/record-problem.ts';
import { connectDestination } from '../../../store/connections/connect.ts';
import { blockAndReserve } from '../../../store/connections/rate-budget.ts';
import { settleDelivery } from '../../../store/deliveries/commands.ts';
import { createSealer } from '../../../store/secrets/sealing.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { begin } from './support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

const sealer = createSealer(randomBytes(32));
const PLACE = {
  destination: 'blogsite_a',
  platform: 'forem',
  baseUrl: 'https://forem.example/api',
  credentials: {},
} as const;
const UNAUTHORISED = { kind: 'unauthorised', reason: 'No.', isUnsettled: false } as const;
const LONG_AGO = { startedAt: new Date(Date.now() - 600_000) };
const FOUND = { finding: { remoteId: 'found', url: 'https://there.example/found' }, canUpdate: true };

/** Starts each after the previous one waits for a lock, while `locked` holds its rows. */
async function cross(locked: ReturnType<typeof sql>, ...work: (() => Promise<unknown>)[]) {
  const { db } = ledger;
  const started: Promise<unknown>[] = [];
  await db.transaction().execute(async (tx) => {
    await locked.execute(tx);
    for (const begin of work) {
      started.push(begin());
      await waitForLock(db, started.length);
    }
  });
  const ended = await Promise.allSettled(started);
  return ended.map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason.code ?? String(one.reason))));
}
const delivery = (id: string) => sql`select from deliveries where id = ${id} for update`;
const BOTH = ['done', 'done'];

test('a publish with another slug during the preparation of an attempt completes, and nothing is sent (F28)', async () => {
  const begun = await begin(ledger);
  const mark = await begun.prepare();
  const { db } = ledger;
  const change = (column: string) => sql`update articles set ${sql.raw(column)} where id = ${begun.articleId}`;
  const { marking } = await db.transaction().execute(async (tx) => {
    await change(`slug = slug || '-renamed'`).execute(tx);
    const marking = mark();
    await waitForLock(db, 1);
    await change('dispatch = dispatch + 1').execute(tx);
    return { marking };
  });
  assert.equal(await marking, null);
});

test('a rejected credential is recorded while a 429 of another delivery blocks the account', async () => {
  const refused = await begin(ledger);
  const { authorId, connectionId, deliveryId } = refused;
  const otherId = await ledger.addDelivery(await ledger.addArticle(authorId, { dispatch: 1 }), { dueAt: new Date() });
  const now = Date.now();
  for (const [id, ms] of [
    [otherId, now],
    [deliveryId, now + 1_000],
  ] as const) {
    const slot = { slotAt: new Date(ms), slotConnectionId: connectionId };
    await ledger.db.updateTable('deliveries').set(slot).where('id', '=', id).execute();
  }
  const decision = await refused.decision(randomUUID());
  const key = { deliveryId: otherId, connectionId, accountId: (await refused.row()).accountId ?? '' };
  const refusal = { forMs: 60_000, answeredMsAgo: 0, calledMsAgo: 0, pacing: { intervalMs: 1_000, burst: 1 } };
  const ended = await cross(
    delivery(deliveryId),
    () => refused.end(decision, UNAUTHORISED),
    () => blockAndReserve(ledger.db, key, refusal),
  );
  assert.deepEqual(ended, BOTH);
});

/** The ledger identifies the account by its author. */
const reconnect = (userId: string) =>
  connectDestination(ledger.db, sealer, { userId, ...PLACE, account: { identity: userId, name: 'me' } });

test('a problem is recorded while its account is reconnected', async () => {
  const { authorId, deliveryId } = await begin(ledger);
  const problem = () => recordProblem(ledger.db, { deliveryId }, { reason: 'Broken.', forMs: 1_000 });
  assert.deepEqual(await cross(delivery(deliveryId), problem, () => reconnect(authorId)), BOTH);
});

test('a problem is recorded while its account gets a stable identity', async () => {
  const { authorId, deliveryId } = await begin(ledger);
  const problem = () => recordProblem(ledger.db, { deliveryId }, { reason: 'Broken.', forMs: 1_000 });
  const account = { identity: 'uuid', formerIdentity: authorId, name: 'me' };
  const identify = () => connectDestination(ledger.db, sealer, { userId: authorId, ...PLACE, account });
  assert.deepEqual(await cross(delivery(deliveryId), problem, identify), BOTH);
});

test('a delivery is given up while its account is reconnected', async () => {
  const { authorId, deliveryId } = await begin(ledger);
  const giveUp = () => recordGivenUp(ledger.db, { deliveryId }, { reason: 'Broken.', dispatch: null });
  assert.deepEqual(await cross(delivery(deliveryId), giveUp, () => reconnect(authorId)), BOTH);
});

test('a delivery is settled while its account is reconnected', async () => {
  const { authorId, deliveryId, target } = await begin(ledger, { dueAt: new Date(), attempts: [LONG_AGO] });
  const settle = () => settleDelivery(ledger.db, target, FOUND);
  assert.deepEqual(await cross(delivery(deliveryId), settle, () => reconnect(authorId)), BOTH);
});

test('the second of two articles settled with one post at once fails with POST_TAKEN', async () => {
  const open = { handledDispatch: 1, attempts: [LONG_AGO] };
  const { authorId, target } = await begin(ledger, open);
  const articleId = await ledger.addArticle(authorId, { dispatch: 1 });
  await ledger.addDelivery(articleId, open);
  const settle = (of: typeof target) => () => settleDelivery(ledger.db, of, FOUND);
  const accounts = sql`select from accounts where user_id = ${authorId} for update`;
  const ended = await cross(accounts, settle(target), settle({ ...target, articleId }));
  assert.deepEqual(ended.sort(), ['POST_TAKEN', 'done']);
});
