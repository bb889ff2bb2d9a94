/**
 * After the database was restored from a backup: what was ended, used or sent since then is open again in it. So every session ends, every link in a
 * mail is closed, and no mail of the backup goes out; whoever still needs one asks again.
 */
import type { Database } from '../db/database.ts';
import { passOverMails } from '../mails/mail-row.ts';

const REASON = 'The service was restored from a backup, and this mail may have been sent since. It is not sent twice.';

/** Done twice, it finds nothing the second time. */
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
  const mails = await passOverMails(db, REASON, now);
  return { sessions: Number(sessions.numUpdatedRows), links: Number(links.numUpdatedRows), mails };
}
