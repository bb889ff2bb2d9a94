/** Tells every instance of a new notification when the transaction commits. */
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

/** Those of a `bigint`. */
const MOST_DIGITS = 19;

/** An announcement around its number, which only the statement that counts knows. */
export interface SplitAnnouncement {
  before: string;
  after: string;
}

/**
 * The event goes along, so that a stream that has all before it needs no read of the table. What PostgreSQL delivers was committed, and the
 * announcements of one user come in the order of their numbers, because whoever counts holds the lock of the counter until its commit.
 */
export function splitAnnouncement({ userId, event }: Required<Omit<Announcement, 'number'>>): SplitAnnouncement {
  const before = `{"userId":${JSON.stringify(userId)},"number":`;
  const after = `,"event":${JSON.stringify(event)}}`;
  return { before, after: Buffer.byteLength(before + after) + MOST_DIGITS <= LONGEST_BYTES ? after : '}' };
}
