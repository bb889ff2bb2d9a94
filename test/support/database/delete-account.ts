/** Deletes an account as its owner would, without its password. */
import type { Database } from '../../../store/db/database.ts';
import { deleteAccount } from '../../../store/users/delete-account.ts';

export async function deleteAccountOf(db: Database, userId: string, now: Date): Promise<void> {
  const { passwordHash } = await db
    .selectFrom('users')
    .select('passwordHash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  await deleteAccount(db, { userId, passwordHash, now });
}
