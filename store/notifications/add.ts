/** Adds notifications: one row per outcome, numbered per author, announced by NOTIFY on commit. */
import { randomUUID } from 'node:crypto';
import { type CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import { cleanLine } from '../../article/text/clean-text.ts';
import { compileOnce } from '../db/prepared.ts';
import type { DB } from '../db/types.ts';
import { describeEvent, type NotificationEvent } from './event.ts';
import { isOnStream } from './preferences.ts';
import type { NotificationType, TypedPayload } from './types.ts';

export type NewNotification = TypedPayload & {
  userId: string;
  /** Path on this site of the notification's subject, if any. */
  link?: string;
  /** Identifies the outcome. A second notification with the same key is not stored. */
  dedupeKey: string;
  now: Date;
};

/** In the caller's transaction. False if the outcome has one or the account is deleted. */
export async function addNotification(tx: Transaction<DB>, notification: NewNotification): Promise<boolean> {
  return (await tx.executeQuery(insertNotification(tx, notification))).rows.length > 0;
}

/** Returns no row if the outcome already has a notification or the account is deleted. */
export function insertNotification(
  db: Kysely<DB>,
  { userId, type, payload, link, dedupeKey, now }: NewNotification,
): CompiledQuery<{ id: string }> {
  const id = randomUUID();
  const announcement = splitAnnouncement({ userId, event: describeEvent({ id, type, payload, createdAt: now }) });
  const columns = { id, userId, type, payload: JSON.stringify(payload), link: link ?? null, dedupeKey, now };
  return insert(db, { ...columns, ...announcement });
}

interface Insertion extends Pick<NewNotification, 'userId' | 'type' | 'dedupeKey' | 'now'>, SplitAnnouncement {
  id: string;
  /** JSON. */
  payload: string;
  link: string | null;
}

/** Numbers come from a locked row per author: a sequence could commit 11 before 10 is visible. */
const insert = compileOnce((db, { id, userId, type, payload, link, dedupeKey, now, before, after }: Insertion) =>
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
    .with('preference', (rows) => rows.selectNoFrom(isOnStream(userId, type).as('onStream')))
    .with('inserted', (rows) =>
      rows
        .insertInto('notifications')
        .columns(['id', 'userId', 'number', 'type', 'payload', 'link', 'dedupeKey', 'onStream', 'readAt', 'createdAt'])
        .expression((eb) =>
          eb.selectFrom(['counter', 'preference']).select([
            sql<string>`${id}::uuid`.as('id'),
            sql<string>`${userId}::uuid`.as('userId'),
            'counter.lastNumber',
            sql<NotificationType>`${type}::text`.as('type'),
            sql<string>`${payload}::jsonb`.as('payload'),
            sql<string | null>`${link}::text`.as('link'),
            sql<string>`${dedupeKey}::text`.as('dedupeKey'),
            'preference.onStream',
            // A type that is off for the stream counts as read, so that it does not raise the
            // unread count.
            sql<Date | null>`case when not preference.on_stream then ${now}::timestamptz end`.as('readAt'),
            sql<Date>`${now}::timestamptz`.as('createdAt'),
          ]),
        )
        .onConflict((conflict) => conflict.column('dedupeKey').doNothing())
        .returning(['id', 'number', 'onStream']),
    )
    .selectFrom('inserted')
    .select('id')
    // PostgreSQL sends it on commit. Nothing is sent if the type is off for the stream.
    .select(
      sql`(select pg_notify(${NOTIFICATION_CHANNEL}, ${before}::text || number || ${after}::text) where on_stream)`.as(
        'announced',
      ),
    )
    .compile(),
);

/** The channel for committed notifications. The payload is an `Announcement` as JSON. */
export const NOTIFICATION_CHANNEL = 'courant_notifications';

interface Announcement {
  userId: string;
  number: number;
  /** Left out if it does not fit; receivers then read the table. */
  event?: NotificationEvent;
}

/** PostgreSQL accepts payloads of less than 8000 bytes. */
const MAX_PAYLOAD_BYTES = 7_999;

/** Digits of a `bigint`. */
const MAX_NUMBER_DIGITS = 19;

/** The text around the number, which only the counting statement knows. */
export interface SplitAnnouncement {
  before: string;
  after: string;
}

/**
 * Includes the event, so that an up-to-date stream need not read the table. A user's announcements
 * arrive in the order of their numbers, since each transaction locks the counter until it commits.
 */
export function splitAnnouncement({ userId, event }: Required<Omit<Announcement, 'number'>>): SplitAnnouncement {
  const before = `{"userId":${JSON.stringify(userId)},"number":`;
  const after = `,"event":${JSON.stringify(event)}}`;
  return { before, after: Buffer.byteLength(before + after) + MAX_NUMBER_DIGITS <= MAX_PAYLOAD_BYTES ? after : '}' };
}

const MAX_NAME_LENGTH = 100;

/** Falls back to the user name if the cleaned name is empty. */
export function toActorName({ name, username }: { name: string; username: string }): string {
  return [...cleanLine(name)].slice(0, MAX_NAME_LENGTH).join('') || username;
}

const PATH = '/desk/articles/';

export function buildArticleLink(articleId: string): string {
  return `${PATH}${articleId}`;
}

/** Null if the link leads elsewhere. */
export function readLinkedArticleId(link: string | null): string | null {
  return link?.startsWith(PATH) ? link.slice(PATH.length) : null;
}
