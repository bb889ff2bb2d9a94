/** A new password for somebody who knows the present one. */
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import * as accounts from '../../store/users/change-account.ts';
import { findUserWithPassword } from '../../store/users/find-user.ts';
import { hashPassword, verifyPassword } from '../../store/users/passwords.ts';
import { countAttempt } from '../auth/login-limits.ts';
import type { SessionOwner } from '../auth/sessions.ts';
import type { AccountDeps, Client } from './deps.ts';
import { checkPassword } from './password-rules.ts';

/** Ends the other sessions, and returns how many. Errors: UNAUTHENTICATED, WRONG_PASSWORD, WEAK_PASSWORD, RATE_LIMITED. */
export async function changePassword(
  deps: AccountDeps,
  client: Client,
  { userId, sessionId }: SessionOwner,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<number> {
  const user = await findUserWithPassword(deps.db, userId);
  if (!user) throw new RefusedCommandError('UNAUTHENTICATED', 'This account is gone.');
  checkPassword(newPassword, user, 'newPassword');
  // A stolen session must not find the password out.
  const attempt = await countAttempt(deps.db, client.address, user.email);
  if (!(await verifyPassword(user.passwordHash, currentPassword)))
    throw new RefusedCommandError('WRONG_PASSWORD', 'The present password is wrong.', 'currentPassword');
  await attempt.succeeded();
  const passwordHash = await hashPassword(newPassword);
  const ended = await accounts.changePassword(deps.db, { userId, sessionId, passwordHash, now: deps.now() });
  deps.onDecided();
  return ended;
}
