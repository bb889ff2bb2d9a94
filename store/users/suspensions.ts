/** Authors whom the operator has suspended: nothing of theirs goes out, and their sessions and streams end. */
import type { Database } from '../db/database.ts';

/** Says the id of an author who has just been suspended or deleted; raised by a trigger, so whoever does it and however (migrations 0010, 0015). */
export const SUSPENSION_CHANNEL = 'courant_suspensions';

/** Whether a session of this user is worth anything: `gone` where there is no such user any more. */
export async function findStanding(db: Database, userId: string): Promise<'active' | 'suspended' | 'gone'> {
  const user = await db
    .selectFrom('users')
    .select('suspendedAt')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (!user) return 'gone';
  return user.suspendedAt === null ? 'active' : 'suspended';
}

/** Those whose streams end: accounts that were deleted count too. */
export async function listSuspended(db: Database, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const users = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', userIds)
    .where((eb) => eb.or([eb('suspendedAt', 'is not', null), eb('deletedAt', 'is not', null)]))
    .execute();
  return users.map(({ id }) => id);
}
