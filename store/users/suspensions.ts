/** Authors whom the operator has suspended: nothing of theirs goes out, and their sessions and streams end. */
import type { Database } from '../db/database.ts';

/** Says the id of an author who has just been suspended; raised by a trigger, so whoever does it and however (migration 0010). */
export const SUSPENSION_CHANNEL = 'courant_suspensions';

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
