/** Builds the NOTIFY payload that announces a notification to every instance on commit. */
import type { NotificationEvent } from './event.ts';

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
