/** Signing in: an e-mail address and a password for a session. Refusals are `RefusedCommandError`s. */
import type { AccountDeps, Client } from '../../deps.ts';
import { createSuspendedError, RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { findUserByEmail } from '../../../store/users/find-user.ts';
import { tryPassword } from '../../auth/login-limits.ts';
import { type SessionTokens, startSessionByPassword } from './open-session.ts';

export async function login(
  deps: AccountDeps,
  client: Client,
  given: { email: string; password: string },
): Promise<SessionTokens> {
  // Nobody's address has a NUL, which PostgreSQL would not even compare with one.
  const email = given.email.replaceAll('\0', '\ufffd');
  const user = await findUserByEmail(deps.db, email);
  const passwordHash = user?.passwordHash ?? null;
  const isRight = await tryPassword(
    deps.db,
    { address: client.address, email },
    { passwordHash, password: given.password },
  );
  if (!isRight || !user) throw createWrongLogin();
  if (user.suspendedAt !== null) throw createSuspendedError();
  const session = await startSessionByPassword(deps, user, client);
  if (session === null) throw createWrongLogin();
  return session;
}

/** It does not say which of the two is wrong: that would reveal which addresses have accounts here. */
function createWrongLogin(): RefusedCommandError {
  return new RefusedCommandError('UNAUTHENTICATED', 'The e-mail address or the password is wrong.');
}
