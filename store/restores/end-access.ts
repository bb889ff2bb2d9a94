/**
 * A restore reopens sessions, mail links and mails that were ended, used or sent after the backup.
 * So this ends all sessions, expires all links and closes all mails; people request new ones.
 */
import type { Database } from '../db/database.ts';
import { markOpenMailsUnknown } from '../mails/mail-row.ts';

const REASON = 'The service was restored from a backup, and this mail may have been sent since. It is not sent again.';

/** Idempotent. Returns the numbers of ended rows. */
export async function endAccessAfterRestore(
  db: Database,
  now: Date,
): Promise<{ sessions: number; links: number; mails: number }> {
  const sessions = await db
    .updateTable('sessions')
    .set({ endedAt: now })
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  const links = await db
    .updateTable('mailLinks')
    .set({ expiresAt: now })
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  const mails = await markOpenMailsUnknown(db, REASON, now);
  return { sessions: Number(sessions.numUpdatedRows), links: Number(links.numUpdatedRows), mails };
}
