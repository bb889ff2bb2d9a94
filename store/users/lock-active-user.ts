/**
 * Locks a user who comments, follows or reacts, so that one user's actions run in sequence and
 * nobody waits for a stranger. Lock order: the user's own row, articles and comments (a reply
 * before its parent), the counter of the notified user.
 */
import type { Transaction } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { DB } from '../db/types.ts';
import { lockUser } from './lock-user.ts';

/** Throws SUSPENDED; UNAUTHENTICATED if the account is gone. */
export async function lockActiveUser(tx: Transaction<DB>, userId: string): Promise<{ name: string; username: string }> {
  const person = await lockUser(tx, userId);
  if (person.suspendedAt !== null) {
    throw new RefusedCommandError('SUSPENDED', 'This account is suspended and cannot do this. Write to the operator.');
  }
  return person;
}
