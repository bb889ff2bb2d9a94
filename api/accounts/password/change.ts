/** Changes the password of a signed-in user who knows the current one. */

import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import * as accounts from '../../../store/users/change-account.ts';
import { findUserWithPassword } from '../../../store/users/find-user.ts';
import { hashPassword } from '../../../store/users/passwords.ts';
import type { AccountDeps, Client } from '../../auth/account-deps.ts';
import { countPasswordChange } from '../../auth/account-limits.ts';
import { tryPassword } from '../../auth/login-limits.ts';
import type { SessionOwner } from '../../auth/sessions.ts';
import { checkPassword } from './rules.ts';

/**
 * Ends the other sessions and returns their number. Errors: UNAUTHENTICATED, WRONG_PASSWORD,
 * WEAK_PASSWORD, RATE_LIMITED.
 */
export async function changePassword(
  deps: AccountDeps,
  client: Client,
  { userId, sessionId }: SessionOwner,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<number> {
  const user = await findUserWithPassword(deps.db, userId);
  if (!user) throw new RefusedCommandError('UNAUTHENTICATED', 'This account no longer exists.');
  checkPassword(newPassword, user, 'newPassword');
  // Attempts are limited, so that a stolen session cannot be used to guess the password.
  const { email, passwordHash: from } = user;
  const attempt = { passwordHash: from, password: currentPassword };
  if (!(await tryPassword(deps.db, { address: client.address, email }, attempt))) throw createWrongPassword();
  await countPasswordChange(deps.db, userId);
  const passwordHash = await hashPassword(newPassword, deps.hashCost);
  const ended = await accounts.changePassword(deps.db, { userId, sessionId, from, passwordHash, now: deps.now() });
  if (ended === null) throw createWrongPassword();
  deps.onOutboxWrite();
  return ended;
}

function createWrongPassword(): RefusedCommandError {
  return new RefusedCommandError('WRONG_PASSWORD', 'The current password is wrong.', 'currentPassword');
}
