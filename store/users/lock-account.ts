/** The row of a person who does something, locked for the rest of the transaction: what one person does at once happens one after the other. */
import type { Transaction } from 'kysely';
import { createAccountGoneError } from '../commands/refused-command.ts';
import type { DB } from '../db/types.ts';

interface LockedAccount {
  name: string;
  username: string;
  suspendedAt: Date | null;
}

/** Throws UNAUTHENTICATED where the account was deleted meanwhile. */
export async function lockAccount(tx: Transaction<DB>, userId: string): Promise<LockedAccount> {
  const account = await tx
    .selectFrom('users')
    .select(['name', 'username', 'suspendedAt'])
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account) throw createAccountGoneError();
  return account;
}
