/** Listing, reading, announcing and deleting notifications, and their preferences. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import type { Database } from '../../../store/db/database.ts';
import { addNotification, type NewNotification, NOTIFICATION_CHANNEL } from '../../../store/notifications/add.ts';
import { describeEvent } from '../../../store/notifications/event.ts';
import {
  countUnread,
  listNewestNotifications,
  listNotificationsForStreams,
  markRead,
} from '../../../store/notifications/list.ts';
import {
  changePreference,
  changePreferences,
  listExcludedFromDigest,
  listPreferences,
} from '../../../store/notifications/preferences.ts';
import type { NotificationPayload, NotificationType } from '../../../store/notifications/types.ts';
import { EXPIRING_TABLES, sweepExpired } from '../../../store/operation/sweep-expired.ts';
import { listenForAnnouncements } from '../../support/api/announcements.ts';
import { addPerson } from '../../support/api/readership.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { eventually } from '../../support/eventually.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const NOW = new Date();
let notified = 0;

function notify(userId: string, type: NotificationType = 'NEW_COMMENT', now = NOW): Promise<boolean> {
  const payload = { postTitle: `${++notified}` };
  return db
    .transaction()
    .execute((tx) =>
      addNotification(tx, { userId, type, payload, dedupeKey: `test:${notified}`, now } as NewNotification),
    );
}

const newest = async (userId: string) => listNewestNotifications(db, { userId, before: null, limit: 100 });

test('an author reads notifications newest first, in pages, with the unread count', async () => {
  const userId = await addPerson(db);
  for (let n = 0; n < 5; n++) await notify(userId);
  const first = await listNewestNotifications(db, { userId, before: null, limit: 3 });
  const second = await listNewestNotifications(db, { userId, before: first.at(-1)?.number ?? null, limit: 3 });
  assert.deepEqual(
    [...first, ...second].map(({ number }) => number),
    [5, 4, 3, 2, 1],
  );
  assert.equal(await countUnread(db, userId), 5);
});

test('one, some, all up to one, or all notifications are marked as read, and only the user’s own', async () => {
  const [userId, other] = [await addPerson(db), await addPerson(db)];
  for (let n = 0; n < 6; n++) await notify(userId);
  await notify(other);
  const ids = (await newest(userId)).map(({ id }) => id);
  const foreign = (await newest(other)).map(({ id }) => id);
  const unread = async () => (await newest(userId)).filter(({ readAt }) => readAt === null).map(({ number }) => number);
  await markRead(db, { userId, ids: [ids[0] ?? '', ...foreign, 'no-uuid'], now: NOW });
  assert.deepEqual(await unread(), [5, 4, 3, 2, 1]);
  await markRead(db, { userId, upTo: ids[4], now: NOW });
  assert.deepEqual(await unread(), [5, 4, 3]);
  await markRead(db, { userId, upTo: foreign[0], now: NOW });
  await markRead(db, { userId, upTo: 'no-uuid', now: NOW });
  await markRead(db, { userId, ids: [], now: NOW });
  assert.deepEqual(await unread(), [5, 4, 3]);
  await markRead(db, { userId, now: NOW });
  assert.deepEqual(await unread(), []);
  assert.equal(await countUnread(db, other), 1);
});

test('a type that is off for streams is listed, but neither sent nor counted as unread', async () => {
  const userId = await addPerson(db);
  await changePreference(db, { userId, type: 'NEW_FOLLOWER', stream: false });
  assert.equal(await notify(userId, 'NEW_FOLLOWER'), true);
  await notify(userId, 'NEW_COMMENT');
  await changePreference(db, { userId, type: 'NEW_FOLLOWER', stream: true });
  await notify(userId, 'NEW_FOLLOWER');
  const sent = (await listNotificationsForStreams(db, [{ userId, after: 0 }], 10))[0] ?? [];
  assert.deepEqual(
    sent.map(({ number, type }) => [number, type]),
    [
      [2, 'NEW_COMMENT'],
      [3, 'NEW_FOLLOWER'],
    ],
  );
  assert.equal((await newest(userId)).length, 3);
  assert.equal(await countUnread(db, userId), 2);
});

test('a withdrawn notification is neither sent, listed nor counted', async () => {
  const userId = await addPerson(db);
  for (let n = 0; n < 3; n++) await notify(userId);
  await db
    .updateTable('notifications')
    .set({ withdrawnAt: NOW })
    .where('userId', '=', userId)
    .where('number', '=', 2)
    .execute();
  const sent = (await listNotificationsForStreams(db, [{ userId, after: 0 }], 10))[0] ?? [];
  assert.deepEqual(
    [sent, (await newest(userId)).reverse()].map((list) => list.map(({ number }) => number)),
    [
      [1, 3],
      [1, 3],
    ],
  );
  assert.equal(await countUnread(db, userId), 2);
});

test('a deleted account gets no notification, and its cause is not prevented', async () => {
  const userId = await addPerson(db);
  await db.updateTable('users').set({ deletedAt: NOW }).where('id', '=', userId).execute();
  assert.equal(await notify(userId), false);
  assert.deepEqual(await newest(userId), []);
});

test('an announcement has the listed event, or only its number if it is too long; disabled types are not announced', async () => {
  const userId = await addPerson(db);
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  const announced: unknown[] = [];
  listener.on('notification', ({ payload = '' }) => announced.push(JSON.parse(payload)));
  await listener.query(`listen ${NOTIFICATION_CHANNEL}`);
  await changePreference(db, { userId, type: 'NEW_FOLLOWER', stream: false });
  await notify(userId, 'NEW_FOLLOWER');
  await notify(userId);
  await db.transaction().execute((tx) =>
    addNotification(tx, {
      ...{ userId, type: 'NEW_COMMENT', dedupeKey: 'test:long', now: NOW },
      payload: { actorName: 'Ada', postTitle: 'ä'.repeat(4_000) },
    }),
  );
  await eventually('both announcements', async () => announced.length === 2);
  await listener.end();
  const [listed] = (await listNotificationsForStreams(db, [{ userId, after: 0 }], 1))[0] ?? [];
  assert.deepEqual(announced, [
    { userId, number: 2, event: listed && describeEvent(listed) },
    { userId, number: 3 },
  ]);
});

test('an event has the same bytes in its announcement and in the table', async () => {
  const userId = await addPerson(db);
  const listener = await listenForAnnouncements(database.url);
  const payloads: NotificationPayload[] = [
    { actorName: 'Ada', postTitle: 'A post' },
    { platform: 'DEVTO', postTitle: 'Ünïcode \u2028 "quoted" 👩‍🚀', sharedUrl: 'https://dev.to/ada/a-post' },
    { platform: 'MEDIUM', postTitle: 'A post', reason: 'The key has expired.' },
  ];
  for (const [index, payload] of payloads.entries()) {
    const notification = { userId, type: 'NEW_COMMENT', dedupeKey: `test:bytes:${index}`, now: NOW } as const;
    await db.transaction().execute((tx) => addNotification(tx, { ...notification, payload } as NewNotification));
  }
  const announced = (await listener.end()).map((payload) => JSON.stringify(JSON.parse(payload).event));
  const [listed = []] = await listNotificationsForStreams(db, [{ userId, after: 0 }], 10);
  assert.deepEqual(
    announced,
    listed.map((row) => JSON.stringify(describeEvent(row))),
  );
});

test('every type has preferences; those that no digest includes have none for it', async () => {
  const userId = await addPerson(db);
  await changePreference(db, { userId, type: 'NEW_COMMENT', digest: false });
  await changePreference(db, { userId, type: 'NEW_COMMENT', stream: false });
  await assert.rejects(changePreference(db, { userId, type: 'CROSS_POST_FAILED', digest: false }), {
    code: 'NOT_IN_DIGEST',
  });
  const preferences = await listPreferences(db, userId);
  assert.deepEqual(
    preferences.map(({ type, stream, digest }) => [type, stream, digest]),
    [
      ['NEW_COMMENT', false, false],
      ['COMMENT_REPLY', true, null],
      ['ACCEPTED_ANSWER', true, null],
      ['NEW_FOLLOWER', true, true],
      ['CROSS_POST_SUCCESS', true, null],
      ['CROSS_POST_FAILED', true, null],
      ['FEATURED_ROUNDUP', true, null],
    ],
  );
});

test('notifications are deleted after their retention, and numbers continue', async () => {
  const userId = await addPerson(db);
  await notify(userId, 'NEW_COMMENT', new Date(NOW.getTime() - (EXPIRING_TABLES.notifications.days + 1) * 86_400_000));
  await notify(userId, 'NEW_COMMENT', new Date(NOW.getTime() - (EXPIRING_TABLES.notifications.days - 1) * 86_400_000));
  await sweepExpired(db, 'notifications', NOW);
  await notify(userId);
  assert.deepEqual(
    (await newest(userId)).map(({ number }) => number),
    [3, 2],
  );
});

test('preferences are on by default, and a type that no digest includes has none for it', async () => {
  const userId = await addPerson(db);
  const on = { stream: true, digest: true };
  const find = async (type: NotificationType) => {
    const { type: _, ...preference } =
      (await listPreferences(db, userId)).find((listed) => listed.type === type) ?? assert.fail();
    return preference;
  };
  assert.deepEqual(await find('NEW_COMMENT'), on);
  assert.deepEqual(await find('COMMENT_REPLY'), { stream: true, digest: null });
  await changePreference(db, { userId, type: 'NEW_COMMENT', digest: false });
  await changePreference(db, { userId, type: 'NEW_COMMENT', stream: false });
  assert.deepEqual(await find('NEW_COMMENT'), { stream: false, digest: false });
  assert.deepEqual([...(await listExcludedFromDigest(db, userId))], ['NEW_COMMENT']);
  assert.deepEqual([...(await listExcludedFromDigest(db, await addPerson(db)))], []);
  const invalid = [
    { type: 'NEW_FOLLOWER', stream: false },
    { type: 'COMMENT_REPLY', digest: true },
  ] as const;
  await assert.rejects(changePreferences(db, userId, invalid), {
    code: 'NOT_IN_DIGEST',
    message: 'COMMENT_REPLY is not part of the digest.',
    field: 'digest',
  });
  assert.deepEqual(await find('NEW_FOLLOWER'), on);
});
