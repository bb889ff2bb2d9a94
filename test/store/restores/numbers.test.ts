import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { addNotification } from '../../../store/notifications/add.ts';
import { findLastNotificationNumber, listNotificationsOfMany } from '../../../store/notifications/list.ts';
import { beginRestore } from '../../../store/restores/restore.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { addPerson } from '../../support/readership.ts';
import { begin } from '../deliveries/support/begun.ts';

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

test('what a workflow of before the restore finds out of an attempt that the backup does not know is recorded nowhere (F31)', async () => {
  const { db } = ledger;
  const { decision, end, attempts, row } = await begin(ledger);
  await beginRestore(db);
  const before = await row();
  const remote = { remoteId: 'r', url: 'https://there.example/r', changedAt: null };
  const late = await decision(randomUUID());
  for (const kind of ['adopted', 'delivered'] as const) {
    assert.equal(await end({ ...late, version: late.version + 1 }, { kind, remote }), false);
  }
  assert.deepEqual([await attempts(), await row()], [[], before]);
});
