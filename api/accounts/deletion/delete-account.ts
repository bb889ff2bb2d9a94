/** Deletes the account of a signed-in user after checking the password. */

import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import * as users from '../../../store/users/delete-account.ts';
import { findUserWithPassword } from '../../../store/users/find-user.ts';
import type { AccountDeps } from '../../auth/account-deps.ts';
import { tryPassword } from '../../auth/login-limits.ts';

type Deps = Pick<AccountDeps, 'db' | 'now' | 'onOutboxWrite'>;

/** Errors: UNAUTHENTICATED, WRONG_PASSWORD, RATE_LIMITED. */
export async function deleteAccount(
  { db, now, onOutboxWrite }: Deps,
  { userId, password, address }: { userId: string; password: string; address: string },
): Promise<void> {
  const user = await findUserWithPassword(db, userId);
  if (!user) throw new RefusedCommandError('UNAUTHENTICATED', 'This account no longer exists.');
  // Attempts are limited, so that a stolen session cannot be used to guess the password.
  const { email, passwordHash } = user;
  if (!(await tryPassword(db, { address, email }, { passwordHash, password }))) throw createWrongPasswordError();
  const isDeleted = await users.deleteAccount(db, { userId, passwordHash, now: now() });
  if (!isDeleted) throw createWrongPasswordError();
  onOutboxWrite();
}

function createWrongPasswordError(): RefusedCommandError {
  return new RefusedCommandError('WRONG_PASSWORD', 'The password is wrong. Nothing was deleted.', 'password');
}
