/** Records of reminders, also while the author changes the connection or the schedule. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { recordReminder } from '../../../store/articles/schedules/reminders.ts';
import { openTestLedger, type TestLedger } from '../../support/database/ledger.ts';
import { waitForLock } from '../../support/database/locks.ts';

let ledger: TestLedger;
before(async () => {
  ledger = await openTestLedger();
});
after(() => ledger.close());

test('a reminder of a refused key waits for a concurrent reconnection and never makes it fail', async () => {
  const { db } = ledger;
  const author = await ledger.addAuthor();
  const id = await ledger.addConnection(author);
  const scheduledAt = new Date('2050-01-01T09:00:00Z');
  const articleId = await ledger.addArticle(author, { status: 'SCHEDULED', publishedAt: null, scheduledAt });
  let recording: Promise<void> | undefined;
  // In the order of `connectDestination`: the connection first, then its articles.
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('connections').set({ version: 2 }).where('id', '=', id).execute();
    const connection = { id, version: 1 };
    const warning = { destination: 'blogsite_a', code: 'unauthorised', reason: 'refused', connection } as const;
    const now = new Date();
    recording = recordReminder(db, { articleId, scheduledAt: scheduledAt.toISOString(), warnings: [warning], now });
    recording.catch(() => undefined);
    await waitForLock(db);
    await tx.updateTable('articles').set({ dispatchedAt: now }).where('id', '=', articleId).execute();
  });
  await recording;
  assert.deepEqual((await ledger.article(articleId)).remindedFor, scheduledAt);
  const sent = await db.selectFrom('notifications').select('type').where('userId', '=', author).execute();
  assert.deepEqual(sent, []);
});

test('a reminder is neither recorded nor notified if its author has moved the schedule meanwhile', async () => {
  const author = await ledger.addAuthor();
  const scheduledAt = new Date('2050-01-02T09:00:00Z');
  const articleId = await ledger.addArticle(author, { status: 'SCHEDULED', publishedAt: null, scheduledAt });
  const warning = { destination: 'blogsite_a', code: 'forbidden', reason: 'refused', connection: null } as const;
  const former = { articleId, scheduledAt: '2050-01-01T09:00:00.000Z', warnings: [warning], now: new Date() };
  await recordReminder(ledger.db, former);
  assert.equal((await ledger.article(articleId)).remindedFor, null);
  const sent = await ledger.db.selectFrom('notifications').select('type').where('userId', '=', author).execute();
  assert.deepEqual(sent, []);
});
