import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addNotification } from '../../../store/notifications/add.ts';
import { findLastNotificationNumber, listNotificationsOfMany } from '../../../store/notifications/list.ts';
import { beginRestore } from '../../../store/restores/restore.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { addPerson } from '../../support/readership.ts';

let database: OpenTestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

test('after a restore no number that a client may have seen is given again, so that none is taken for sent', async () => {
  const { db } = database;
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
