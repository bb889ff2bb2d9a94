/** Signing in: an e-mail address and a password for a session token. Refusals are `RefusedCommandError`s. */
import type { FastifyRequest } from 'fastify';
import { createSuspendedError, RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { findUserByEmail } from '../../store/users/find-user.ts';
import { verifyPassword } from '../../store/users/passwords.ts';
import { countAttempt } from './login-limits.ts';
import type { Sessions } from './sessions.ts';

export interface LoginDeps {
  db: Database;
  sessions: Sessions;
}

export async function login(
  { db, sessions }: LoginDeps,
  request: FastifyRequest,
  { email, password }: { email: string; password: string },
): Promise<{ accessToken: string }> {
  const attempt = await countAttempt(db, request.ip, email);
  const user = await findUserByEmail(db, email);
  const known = await verifyPassword(user?.passwordHash ?? null, password);
  // It does not say which of the two is wrong: that would reveal which addresses have accounts here.
  if (!known || !user) throw new RefusedCommandError('UNAUTHENTICATED', 'The e-mail address or the password is wrong.');
  await attempt.succeeded();
  if (user.suspendedAt !== null) throw createSuspendedError();
  return { accessToken: await sessions.issue('courant:session', user.id) };
}
