/** The row of a person who does something, locked for the rest of the transaction: what one person does at once happens one after the other. */
import type { Transaction } from 'kysely';
import { createAccountGoneError } from '../commands/refused-command.ts';
import type { DB } from '../db/types.ts';

/** Throws UNAUTHENTICATED where the account was deleted meanwhile. */
export async function lockAccount(tx: Transaction<DB>, userId: string): Promise<void> {
  const account = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account) throw createAccountGoneError();
}
