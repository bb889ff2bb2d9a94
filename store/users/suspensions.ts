/** Authors whom the operator has suspended: nothing of theirs goes out, and their sessions and streams end. */
import type { Database } from '../db/database.ts';

/** Says the id of an author who has just been suspended; raised by a trigger, so whoever does it and however (migration 0010). */
export const SUSPENSION_CHANNEL = 'courant_suspensions';

/** Whether a session of this user is worth anything: `gone` where there is no such user any more. */
export async function findStanding(db: Database, userId: string): Promise<'active' | 'suspended' | 'gone'> {
  const user = await db.selectFrom('users').select('suspendedAt').where('id', '=', userId).executeTakeFirst();
  if (!user) return 'gone';
  return user.suspendedAt === null ? 'active' : 'suspended';
}

export async function listSuspended(db: Database, userIds: readonly string[]): Promise<string[]> {
  if (userIds.length === 0) return [];
  const users = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', userIds)
    .where('suspendedAt', 'is not', null)
    .execute();
  return users.map(({ id }) => id);
}
