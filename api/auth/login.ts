/** Opens a session for an e-mail address and a password. */
import { createSuspendedError, RefusedCommandError } from '../../store/commands/refused-command.ts';
import { findUserByEmail } from '../../store/users/find-user.ts';
import type { AccountDeps, Client } from './account-deps.ts';
import { tryPassword } from './login-limits.ts';
import { type SessionTokens, startSessionByPassword } from './open-session.ts';

/** Errors: UNAUTHENTICATED, RATE_LIMITED, SUSPENDED. */
export async function login(
  deps: AccountDeps,
  client: Client,
  credentials: { email: string; password: string },
): Promise<SessionTokens> {
  // No address contains NUL, and PostgreSQL rejects texts that do.
  const email = credentials.email.replaceAll('\0', '\ufffd');
  const user = await findUserByEmail(deps.db, email);
  const passwordHash = user?.passwordHash ?? null;
  const isRight = await tryPassword(
    deps.db,
    { address: client.address, email },
    { passwordHash, password: credentials.password },
  );
  if (!isRight || !user) throw createWrongLogin();
  if (user.suspendedAt !== null) throw createSuspendedError();
  const session = await startSessionByPassword(deps, user, client);
  if (session === null) throw createWrongLogin();
  return session;
}

/** One error for both cases, so that it does not reveal which addresses have accounts. */
function createWrongLogin(): RefusedCommandError {
  return new RefusedCommandError('UNAUTHENTICATED', 'The e-mail address or the password is wrong.');
}
