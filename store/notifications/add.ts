/** Adds notifications: one row per outcome, numbered per author, announced by NOTIFY on commit. */
import { sql, type Transaction } from 'kysely';
import type { NotificationPayload, NotificationType } from '../db/json-columns.ts';
import type { DB } from '../db/types.ts';
import { announceNotification } from './announce.ts';
import { describeEvent } from './event.ts';
import { isOnStream } from './preferences.ts';

export interface NewNotification {
  userId: string;
  type: NotificationType;
  payload: NotificationPayload;
  /** The path on this site of what it is about, where there is one. */
  link?: string;
  /** Names the outcome; a second notification with the same key is not written. */
  dedupeKey: string;
  now: Date;
}

/**
 * Writes a notification in the caller's transaction; false if this outcome already has one, or its account was deleted. Numbers come from a row per author, locked
 * until commit: with a sequence, 11 can be committed before 10, and a reader who has seen 11 would miss 10.
 */
export async function addNotification(tx: Transaction<DB>, notification: NewNotification): Promise<boolean> {
  const { userId, type, dedupeKey, now } = notification;
  const isWanted = isOnStream(userId, type);
  const counter = await tx
    .insertInto('notificationCounters')
    .columns(['userId', 'lastNumber'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select(['id', sql<number>`1`.as('lastNumber')])
        .where('id', '=', userId)
        .where('deletedAt', 'is', null),
    )
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((eb) => ({ lastNumber: eb('notificationCounters.lastNumber', '+', 1) })),
    )
    .returning('lastNumber')
    .executeTakeFirst();
  if (!counter) return false;
  const { lastNumber } = counter;
  const inserted = await tx
    .insertInto('notifications')
    .values({
      userId,
      number: lastNumber,
      type,
      payload: JSON.stringify(notification.payload),
      link: notification.link ?? null,
      dedupeKey,
      onStream: isWanted,
      // Whoever does not want to be told is not reminded by a count either.
      readAt: sql`case when not ${isWanted} then ${now}::timestamptz end`,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.column('dedupeKey').doNothing())
    .returning(['id', 'onStream'])
    .executeTakeFirst();
  if (!inserted?.onStream) return inserted !== undefined;
  const event = describeEvent({ id: inserted.id, type, payload: notification.payload, createdAt: now });
  await announceNotification(tx, { userId, number: lastNumber, event });
  return true;
}
