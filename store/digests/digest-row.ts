/**
 * One row per author and day. The row ensures that at most one mail is sent: the mark `sending` is
 * committed before the last byte of the mail goes out, and only one attempt can set it.
 */
import type { Database } from '../db/database.ts';
import type { MailEnding } from '../mails/outcome.ts';

export interface DigestKey {
  userId: string;
  /** `2026-11-23`: the due day in the author's zone. */
  date: string;
}

export type DigestOutcome = MailEnding;

/** The digest with its author and settings; undefined if the digest or the author is gone. */
export function loadDigest(db: Database, { userId, date }: DigestKey) {
  return db
    .selectFrom('digests')
    .innerJoin('users', 'users.id', 'digests.userId')
    .innerJoin('digestSettings', 'digestSettings.userId', 'digests.userId')
    .select(['digests.state', 'digests.messageId', 'digests.reason'])
    .select(['users.id', 'users.name', 'users.username', 'users.email', 'users.suspendedAt'])
    .select(['digestSettings.frequency', 'digestSettings.zone', 'digestSettings.sendEmpty', 'digestSettings.stoppedAt'])
    .where('digests.userId', '=', userId)
    .where('digests.date', '=', date)
    .executeTakeFirst();
}

/** Whether the digest of this day has ended, independent of its workflow. */
export async function hasEnded(db: Database, { userId, date }: DigestKey): Promise<boolean> {
  const row = await db
    .selectFrom('digests')
    .select('state')
    .where('userId', '=', userId)
    .where('date', '=', date)
    .executeTakeFirst();
  return row !== undefined && row.state !== 'pending' && row.state !== 'sending';
}
