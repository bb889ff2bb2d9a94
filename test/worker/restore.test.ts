/** Tests a restore at platforms without look-up: a possible create is marked for its author first. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { nextStep } from '../../delivery/next-step.ts';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import { findDestination } from '../../destinations/clients.ts';
import { connectDestination } from '../../store/connections/connect.ts';
import { loadDelivery } from '../../store/deliveries/situation.ts';
import { createSealer } from '../../store/secrets/sealing.ts';
import { reconcileAfterRestore } from '../../worker/restore.ts';
import { openTestLedger, type TestLedger } from '../support/database/ledger.ts';

let ledger: TestLedger;
const sealer = createSealer(randomBytes(32));
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

async function backUp() {
  const { db } = ledger;
  const userId = await ledger.addAuthor();
  const { id: connectionId } = await connectDestination(db, sealer, {
    userId,
    destination: 'blogsite_c',
    platform: 'medium',
    baseUrl: 'https://medium.example/v1',
    credentials: { token: 'secret' },
    account: { identity: 'me', name: 'me' },
  });
  const articleId = await ledger.addArticle(userId, { dispatch: 1, createdAt: new Date(0) });
  return {
    userId,
    articleId,
    connectionId,
    async restore() {
      const { reports } = await reconcileAfterRestore({
        db,
        sealer,
        baseUrl: 'https://courant.example',
        findDestination,
        allowPrivate: true,
        httpTimeoutMs: 5_000,
        now: () => new Date(),
      });
      return reports.filter(({ delivery }) => delivery.articleId === articleId).map(({ finding }) => finding.kind);
    },
    listRows: () =>
      db
        .selectFrom('deliveryStates')
        .select(['state', 'destination'])
        .where('articleId', '=', articleId)
        .where('deliveryId', 'is not', null)
        .execute(),
    async countEvents() {
      const rows = db.selectFrom('notifications').select('type').where('userId', '=', userId);
      return (await rows.execute()).length;
    },
  };
}

const UNKNOWN = [{ state: 'unknown', destination: 'blogsite_c' }];
const STALE = [{ state: 'stale', destination: 'blogsite_c' }];

test('a delivery that was not due in the backup is not sent at the next publish, and its author is not notified before (F31)', async () => {
  const { articleId, restore, listRows, countEvents } = await backUp();
  await ledger.db.deleteFrom('deliveries').where('articleId', '=', articleId).execute();
  assert.deepEqual(await restore(), ['marked for author']);
  assert.deepEqual(await listRows(), STALE);
  assert.deepEqual(await restore(), []);
  assert.equal(await countEvents(), 0);
  await ledger.db.updateTable('articles').set({ dispatch: 2 }).where('id', '=', articleId).execute();
  const loaded = await loadDelivery(ledger.db, { articleId, destination: 'blogsite_c' }, 'https://courant.example');
  assert.ok(loaded);
  assert.equal(nextStep(loaded.situation, findDestination('medium'), TIMEOUTS).kind, 'reconcile');
});

test('a delivery that its author withdrew in the backup is marked without a notification (F31)', async () => {
  const { articleId, restore, listRows, countEvents } = await backUp();
  await ledger.addDelivery(articleId, { destination: 'blogsite_c', withdrawRequested: true });
  assert.deepEqual(await restore(), ['marked for author']);
  assert.deepEqual(await listRows(), STALE);
  assert.equal(await countEvents(), 0);
});

test('a post that was deleted before the backup remains deleted (F31)', async () => {
  const { articleId, restore } = await backUp();
  const copy = { presence: 'deleted', remoteId: 'gone' } as const;
  await ledger.addDelivery(articleId, { destination: 'blogsite_c', copy, withdrawRequested: true });
  assert.deepEqual(await restore(), ['marked for author']);
  const copies = ledger.db.selectFrom('copies').select(['remoteId', 'presence', 'isCurrent']);
  assert.deepEqual(await copies.where('articleId', '=', articleId).orderBy('isCurrent').execute(), [
    { remoteId: 'gone', presence: 'deleted', isCurrent: false },
    { remoteId: null, presence: 'uncertain', isCurrent: true },
  ]);
});

test('a delivery held for a refused key in the backup is marked unknown for its author (F31)', async () => {
  const { articleId, connectionId, restore, listRows } = await backUp();
  const { db } = ledger;
  await ledger.addDelivery(articleId, { destination: 'blogsite_c', dueAt: new Date() });
  await db.updateTable('connections').set({ status: 'unauthorised' }).where('id', '=', connectionId).execute();
  assert.deepEqual(await restore(), ['marked for author']);
  assert.deepEqual(await listRows(), UNKNOWN);
});

test('a delivery with a temporarily rejected attempt in the backup is marked unknown for its author (F31)', async () => {
  const { articleId, restore, listRows } = await backUp();
  const answer = JSON.stringify({ kind: 'unavailable', reason: 'Busy.' });
  const attempts = [{ answer, answeredAt: new Date() }];
  await ledger.addDelivery(articleId, { destination: 'blogsite_c', dueAt: new Date(), attempts });
  assert.deepEqual(await restore(), ['marked for author']);
  assert.deepEqual(await listRows(), UNKNOWN);
});

test('a restore frees the rate slots of the backup', async () => {
  const { articleId, connectionId, restore } = await backUp();
  const { db } = ledger;
  const slot = { slotAt: new Date(Date.now() + 60_000), slotConnectionId: connectionId };
  await ledger.addDelivery(articleId, { destination: 'blogsite_c', ...slot });
  await restore();
  const rows = db.selectFrom('deliveries').select('slotAt').where('articleId', '=', articleId);
  assert.deepEqual(await rows.execute(), [{ slotAt: null }]);
});
