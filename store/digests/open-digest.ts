/** Starts the digest of an author and a day. */
import { findLocalDate } from '../calendar/days.ts';
import type { Database } from '../db/database.ts';
import type { DigestState } from '../db/types.ts';
import type { DigestKey } from './digest-row.ts';

/** Returns the state of the digest, which starts now if it is due. Null if it is not due. */
export async function beginDigestRow(
  db: Database,
  key: DigestKey & { messageId: string; now: Date },
): Promise<DigestState | null> {
  const { userId, date, messageId, now } = key;
  return db.transaction().execute(async (tx) => {
    const settings = await tx
      .selectFrom('digestSettings')
      .innerJoin('users', 'users.id', 'digestSettings.userId')
      .select(['digestSettings.nextDueAt', 'digestSettings.zone', 'digestSettings.frequency', 'users.suspendedAt'])
      .where('digestSettings.userId', '=', userId)
      .forUpdate('digestSettings')
      .executeTakeFirst();
    const existing = await tx
      .selectFrom('digests')
      .select(['date', 'state'])
      .where('userId', '=', userId)
      .where((eb) => eb.or([eb('date', '=', date), eb('state', 'in', ['pending', 'sending'])]))
      .execute();
    const sameDay = existing.find((digest) => digest.date === date);
    if (sameDay) return sameDay.state;
    // One digest at a time: another digest that has not ended is resumed first.
    if (existing.length > 0 || !settings?.nextDueAt || settings.frequency === 'off') return null;
    const { nextDueAt: dueAt, frequency, zone, suspendedAt } = settings;
    if (dueAt > now || findLocalDate(dueAt, zone) !== date || suspendedAt !== null) return null;
    await tx.insertInto('digests').values({ userId, date, messageId, dueAt, frequency, at: now }).execute();
    return 'pending';
  });
}
