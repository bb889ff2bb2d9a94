/** Begins the digest of an author and a day. */
import { findLocalDate } from '../../calendar/days.ts';
import type { Database } from '../db/database.ts';
import type { DigestState } from '../db/types.ts';
import type { DigestKey } from './digest-row.ts';

/** Returns the state of the digest, begun now if it is due. Null if it is not due. */
export async function openDigest(
  db: Database,
  key: DigestKey & { messageId: string; now: Date },
): Promise<DigestState | null> {
  const { userId, date, messageId, now } = key;
  return db.transaction().execute(async (tx) => {
    const settings = await tx
      .selectFrom('digestSettings')
      .innerJoin('users', 'users.id', 'digestSettings.userId')
      .select(['digestSettings.nextDueAt', 'digestSettings.zone', 'users.suspendedAt'])
      .where('digestSettings.userId', '=', userId)
      .forUpdate('digestSettings')
      .executeTakeFirst();
    const begun = await tx
      .selectFrom('digests')
      .select('state')
      .where('userId', '=', userId)
      .where('date', '=', date)
      .executeTakeFirst();
    if (begun) return begun.state;
    const dueAt = settings?.nextDueAt;
    const due = dueAt && dueAt <= now && findLocalDate(dueAt, settings.zone) === date && settings.suspendedAt === null;
    if (!due) return null;
    await tx.insertInto('digests').values({ userId, date, messageId, at: now }).execute();
    return 'pending';
  });
}
