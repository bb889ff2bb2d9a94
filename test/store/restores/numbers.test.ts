import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { moveDeliveries } from '../../../store/connections/move-deliveries.ts';
import { recordAdopted } from '../../../store/deliveries/record-outcome.ts';
import { addNotification } from '../../../store/notifications/add.ts';
import { findLastNotificationNumber, listNotificationsOfMany } from '../../../store/notifications/list.ts';
import { beginRestore } from '../../../store/restores/restore.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { addPerson } from '../../support/readership.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

test('after a restore no number that a client may have seen is given again, so that none is taken for sent', async () => {
  const { db } = ledger;
  const [told, untold] = [await addPerson(db), await addPerson(db)];
  const notify = (userId: string, dedupeKey: string) =>
    db
      .transaction()
      .execute((tx) =>
        addNotification(tx, { userId, type: 'FEATURED_ROUNDUP', payload: {}, dedupeKey, now: new Date() }),
      );
  await notify(told, 'in the backup');
  // What a client has seen of notifications that the backup does not know.
  const seen = 500;
  await beginRestore(db);
  await beginRestore(db);
  for (const userId of [told, untold]) {
    await notify(userId, `after the restore, to ${userId}`);
    const [missed = []] = await listNotificationsOfMany(db, [{ userId, after: seen }], 10);
    assert.equal(missed.length, 1);
    assert.ok((await findLastNotificationNumber(db, userId)) < 1e15, 'short enough for a Last-Event-ID');
  }
});

test('what a workflow of before the restore finds out at the account of then is not recorded at the one that is connected since (F31)', async () => {
  const { db } = ledger;
  const userId = await ledger.addAuthor();
  await ledger.addConnection(userId);
  const deliveryId = await ledger.addDelivery(await ledger.addArticle(userId), { attempts: 1 });
  // The backup knows one attempt. The second was made after it, and its workflow is still to say what became of it.
  const late = { deliveryId, attempt: 2, remote: { remoteId: 'r', url: 'https://there.example/r', changedAt: null } };
  await beginRestore(db);
  const accountId = await ledger.addAccount(userId);
  await db
    .transaction()
    .execute((tx) => moveDeliveries(tx, { userId, destination: 'blogsite_a', accountId, now: new Date() }));
  await recordAdopted(db, { ...late, now: new Date() });
  assert.deepEqual(await ledger.delivery(deliveryId).then(({ accountId: at, remoteId }) => ({ at, remoteId })), {
    at: accountId,
    remoteId: null,
  });
});
