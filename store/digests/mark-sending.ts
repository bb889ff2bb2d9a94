/** The mark that ensures that a digest is mailed at most once. */
import type { Database } from '../db/database.ts';
import type { DigestKey } from './digest-row.ts';

/**
 * Commit it directly before the last byte goes out. Returns the attempt's number, or null if the
 * mail must not be sent: another attempt was first, the author is gone or suspended, or digests are
 * off.
 */
export async function markSending(db: Database, { userId, date }: DigestKey, now: Date): Promise<number | null> {
  const row = await db
    .updateTable('digests')
    .set((eb) => ({ state: 'sending', attempts: eb('attempts', '+', 1), at: now }))
    .where('userId', '=', userId)
    .where('date', '=', date)
    .where('state', '=', 'pending')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('digestSettings')
          .innerJoin('users', 'users.id', 'digestSettings.userId')
          .select('digestSettings.userId')
          .whereRef('digestSettings.userId', '=', 'digests.userId')
          .where('digestSettings.frequency', '!=', 'off')
          .where('digestSettings.stoppedAt', 'is', null)
          .where('users.suspendedAt', 'is', null),
      ),
    )
    .returning('attempts')
    .executeTakeFirst();
  return row?.attempts ?? null;
}

/**
 * Removes the mark after the server rejected the mail, so that it can be retried. Only for the
 * attempt that set it.
 */
export async function unmarkSending(db: Database, { userId, date }: DigestKey, attempt: number): Promise<void> {
  await db
    .updateTable('digests')
    .set({ state: 'pending' })
    .where('userId', '=', userId)
    .where('date', '=', date)
    .where('state', '=', 'sending')
    .where('attempts', '=', attempt)
    .execute();
}
