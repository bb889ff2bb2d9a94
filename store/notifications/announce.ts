/** Tells every instance of a new notification when the transaction commits. */
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { NotificationEvent } from './event.ts';

/** The channel on which a committed notification is announced; its payload is an `Announcement` as JSON. */
export const NOTIFICATION_CHANNEL = 'courant_notifications';

interface Announcement {
  userId: string;
  number: number;
  /** Left out where it does not fit: whoever needs it reads the table. */
  event?: NotificationEvent;
}

/** PostgreSQL takes less than 8000 bytes. */
const LONGEST_BYTES = 7_999;

/**
 * The event goes along, so that a stream that has all before it needs no read of the table. What PostgreSQL delivers was committed, and the
 * announcements of one user come in the order of their numbers, because whoever counts holds the lock of the counter until its commit.
 */
export function buildAnnouncement(db: Kysely<DB>, announcement: Announcement): CompiledQuery {
  const { userId, number } = announcement;
  const whole = JSON.stringify(announcement);
  const payload = Buffer.byteLength(whole) <= LONGEST_BYTES ? whole : JSON.stringify({ userId, number });
  return sql`select pg_notify(${NOTIFICATION_CHANNEL}, ${payload})`.compile(db);
}
