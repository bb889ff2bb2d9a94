/**
 * The person who comments, follows or reacts. Their own row is locked first, as a publish does: what one person does at once happens one after
 * the other, and nobody waits for a stranger. The order of locks in this folder and in those of interactions: the person's own row, articles and
 * comments (a reply before what it answers), and last the counter of the one who is notified.
 */
import type { Transaction } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { DB } from '../db/types.ts';
import { lockAccount } from './lock-account.ts';

/** Throws SUSPENDED; UNAUTHENTICATED where the account is gone. */
export async function lockPerson(tx: Transaction<DB>, userId: string): Promise<{ name: string; username: string }> {
  const person = await lockAccount(tx, userId);
  if (person.suspendedAt !== null) {
    throw new RefusedCommandError(
      'SUSPENDED',
      'This account is suspended and cannot take part. Write to the operator.',
    );
  }
  return person;
}
