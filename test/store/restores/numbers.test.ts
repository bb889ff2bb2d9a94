/** Tests that a restore does not reuse numbers and versions from after the backup. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { addNotification } from '../../../store/notifications/add.ts';
import { findLastNotificationNumber, listNotificationsForStreams } from '../../../store/notifications/list.ts';
import { beginRestore } from '../../../store/restores/restore.ts';
import { addPerson } from '../../support/api/readership.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { begin } from '../deliveries/support/begun.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

test('notifications after a restore have higher numbers than any that a client received', async () => {
  const { db } = ledger;
  const [notified, other] = [await addPerson(db), await addPerson(db)];
  const notify = (userId: string, dedupeKey: string) =>
    db.transaction().execute((tx) =>
      addNotification(tx, {
        userId,
        type: 'FEATURED_ROUNDUP',
        payload: { postTitle: 'T' },
        dedupeKey,
        now: new Date(),
      }),
    );
  await notify(notified, 'in the backup');
  // The last number that a client received after the backup.
  const seen = 500;
  await beginRestore(db);
  await beginRestore(db);
  for (const userId of [notified, other]) {
    await notify(userId, `after the restore, to ${userId}`);
    const [missed = []] = await listNotificationsForStreams(db, [{ userId, after: seen }], 10);
    assert.equal(missed.length, 1);
    assert.ok((await findLastNotificationNumber(db, userId)) < 1e15, 'short enough for a Last-Event-ID');
  }
});

test('a workflow from before the restore cannot record an attempt that the backup does not contain (F31)', async () => {
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
