/** Locks a user's row for the rest of the transaction, so that a user's actions run in sequence. */
import type { Transaction } from 'kysely';
import { createAccountDeletedError, RefusedCommandError } from '../commands/refused-command.ts';
import type { DB } from '../db/types.ts';

interface LockedAccount {
  name: string;
  username: string;
  suspendedAt: Date | null;
}

/** Throws UNAUTHENTICATED if the account was deleted meanwhile. */
export async function lockUser(tx: Transaction<DB>, userId: string): Promise<LockedAccount> {
  const account = await tx
    .selectFrom('users')
    .select(['name', 'username', 'suspendedAt'])
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account) throw createAccountDeletedError();
  return account;
}

/** Throws SUSPENDED; UNAUTHENTICATED if the account is gone. */
export async function lockActiveUser(tx: Transaction<DB>, userId: string): Promise<{ name: string; username: string }> {
  const person = await lockUser(tx, userId);
  if (person.suspendedAt !== null) {
    throw new RefusedCommandError('SUSPENDED', 'This account is suspended and cannot do this. Write to the operator.');
  }
  return person;
}
