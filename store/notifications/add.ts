/** Adds notifications: one row per outcome, numbered per author, announced by NOTIFY on commit. */
import { type CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import type { NotificationPayload, NotificationType } from '../db/json-columns.ts';
import { compileOnce } from '../db/prepared.ts';
import type { DB } from '../db/types.ts';
import { buildAnnouncement } from './announce.ts';
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

/** Writes a notification in the caller's transaction; false if this outcome already has one, or its account was deleted. */
export async function addNotification(tx: Transaction<DB>, notification: NewNotification): Promise<boolean> {
  const [added] = (await tx.executeQuery(insertNotification(tx, notification))).rows;
  for (const announcement of announceAdded(tx, notification, added)) await tx.executeQuery(announcement);
  return added !== undefined;
}

/** What the insertion answers: no row where this outcome has its notification already, or the account was deleted. */
export interface AddedNotification {
  id: string;
  number: number;
  onStream: boolean;
}

/** For a transaction that sends it with other statements. `announceAdded` must follow. */
export function insertNotification(
  db: Kysely<DB>,
  { userId, type, payload, link, dedupeKey, now }: NewNotification,
): CompiledQuery<AddedNotification> {
  return insert(db, { userId, type, payload: JSON.stringify(payload), link: link ?? null, dedupeKey, now });
}

/** The statement that announces it when the transaction commits; none where its author does not want it on the stream. */
export function announceAdded(
  db: Kysely<DB>,
  { userId, type, payload, now }: NewNotification,
  added: AddedNotification | undefined,
): CompiledQuery[] {
  if (!added?.onStream) return [];
  const event = describeEvent({ id: added.id, type, payload, createdAt: now });
  return [buildAnnouncement(db, { userId, number: added.number, event })];
}

interface Insertion extends Omit<NewNotification, 'payload' | 'link'> {
  /** JSON. */
  payload: string;
  link: string | null;
}

/**
 * Numbers come from a row per author, locked until commit: with a sequence, 11 can be committed before 10, and a reader who has seen 11 would
 * miss 10.
 */
const insert = compileOnce((db, { userId, type, payload, link, dedupeKey, now }: Insertion) =>
  db
    .with('counter', (rows) =>
      rows
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
          conflict
            .column('userId')
            .doUpdateSet((eb) => ({ lastNumber: eb('notificationCounters.lastNumber', '+', 1) })),
        )
        .returning('lastNumber'),
    )
    .with('wanted', (rows) => rows.selectNoFrom(isOnStream(userId, type).as('onStream')))
    .with('inserted', (rows) =>
      rows
        .insertInto('notifications')
        .columns(['userId', 'number', 'type', 'payload', 'link', 'dedupeKey', 'onStream', 'readAt', 'createdAt'])
        .expression((eb) =>
          eb.selectFrom(['counter', 'wanted']).select([
            sql<string>`${userId}::uuid`.as('userId'),
            'counter.lastNumber',
            sql<NotificationType>`${type}::text`.as('type'),
            sql<string>`${payload}::jsonb`.as('payload'),
            sql<string | null>`${link}::text`.as('link'),
            sql<string>`${dedupeKey}::text`.as('dedupeKey'),
            'wanted.onStream',
            // Whoever does not want to be told is not reminded by a count either.
            sql<Date | null>`case when not wanted.on_stream then ${now}::timestamptz end`.as('readAt'),
            sql<Date>`${now}::timestamptz`.as('createdAt'),
          ]),
        )
        .onConflict((conflict) => conflict.column('dedupeKey').doNothing())
        .returning(['id', 'number', 'onStream']),
    )
    .selectFrom('inserted')
    .selectAll()
    .compile(),
);
