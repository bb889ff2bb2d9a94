/** The mark that ensures that a digest is mailed at most once. */
import type { Database } from '../db/database.ts';
import type { DigestKey } from './digest-row.ts';

/**
 * Must be committed right before the last byte goes out. Returns the number of the attempt; null if this mail must not go out: another
 * attempt was first, the author is gone or suspended, or has turned digests off at the last moment.
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

/** Removes the mark after the server did not accept the mail, so that it can be sent again. Only the attempt that set the mark removes it. */
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
