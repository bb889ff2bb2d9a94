/**
 * Replaces an account whose address is first confirmed by a password reset. Somebody else may have
 * registered the account, so it is deleted and a new one gets its user name and address. The new id
 * makes earlier requests fail instead of changing the new account.
 */
import type { Transaction } from 'kysely';
import type { DB } from '../db/types.ts';
import { eraseAccount } from './delete-account.ts';

interface AccountToReplace {
  userId: string;
  /** The hash of the new account. */
  passwordHash: string;
  now: Date;
}

/** The caller has locked the user. Copies a suspension. Returns the new account. */
export async function replaceAccount(
  tx: Transaction<DB>,
  { userId, passwordHash, now }: AccountToReplace,
): Promise<{ id: string; email: string }> {
  const { username, email, suspendedAt } = await tx
    .selectFrom('users')
    .select(['username', 'email', 'suspendedAt'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  await eraseAccount(tx, { userId, now });
  await tx
    .updateTable('users')
    .set({ username: buildFormerName(userId) })
    .where('id', '=', userId)
    .execute();
  return tx
    .insertInto('users')
    .values({ username, name: username, email, passwordHash, suspendedAt, emailConfirmedAt: now, createdAt: now })
    .returning(['id', 'email'])
    .executeTakeFirstOrThrow();
}

/** A name that nobody can register, because of the double hyphen. At most 39 characters. */
function buildFormerName(userId: string): string {
  return `deleted--${userId.replaceAll('-', '').slice(0, 30)}`;
}
