/** Signing in: an e-mail address and a password for a session. Refusals are `RefusedCommandError`s. */
import { createSuspendedError, RefusedCommandError } from '../../store/commands/refused-command.ts';
import { findUserByEmail } from '../../store/users/find-user.ts';
import { verifyPassword } from '../../store/users/passwords.ts';
import { countAttempt } from '../auth/login-limits.ts';
import type { AccountDeps, Client } from './deps.ts';
import { type SessionTokens, startSession } from './open-session.ts';

export async function login(
  deps: AccountDeps,
  client: Client,
  { email, password }: { email: string; password: string },
): Promise<SessionTokens> {
  const attempt = await countAttempt(deps.db, client.address, email);
  const user = await findUserByEmail(deps.db, email);
  const known = await verifyPassword(user?.passwordHash ?? null, password);
  // It does not say which of the two is wrong: that would reveal which addresses have accounts here.
  if (!known || !user) throw new RefusedCommandError('UNAUTHENTICATED', 'The e-mail address or the password is wrong.');
  await attempt.succeeded();
  if (user.suspendedAt !== null) throw createSuspendedError();
  return startSession(deps, user.id, client);
}
