/** Signing in: an e-mail address and a password for a session token. Refusals are `RefusedCommandError`s. */
import type { FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { countHit } from '../../store/rate-limits/counters.ts';
import { findUserByEmail } from '../../store/users/find-user.ts';
import { verifyPassword } from '../../store/users/passwords.ts';
import type { Sessions } from './sessions.ts';

/** Per minute, counted by the client's address and by account: one stops a guess at many accounts, the other one from many addresses. */
const ATTEMPTS_PER_MINUTE = 20;

export interface LoginDeps {
  db: Database;
  sessions: Sessions;
}

export async function login(
  { db, sessions }: LoginDeps,
  request: FastifyRequest,
  { email, password }: { email: string; password: string },
): Promise<{ accessToken: string }> {
  for (const bucket of [`login-from:${request.ip}`, `login-to:${email.toLowerCase().slice(0, 320)}`]) {
    const { current, ttl } = await countHit(db, bucket, 60_000);
    if (current > ATTEMPTS_PER_MINUTE) {
      throw new RefusedCommandError(
        'RATE_LIMITED',
        `Too many attempts; try again in ${Math.ceil(ttl / 1000)} seconds.`,
      );
    }
  }
  const user = await findUserByEmail(db, email);
  const known = await verifyPassword(user?.passwordHash ?? null, password);
  // It does not say which of the two is wrong: that would reveal which addresses have accounts here.
  if (!known || !user) throw new RefusedCommandError('UNAUTHENTICATED', 'The e-mail address or the password is wrong.');
  return { accessToken: await sessions.issue('courant:session', user.id) };
}
