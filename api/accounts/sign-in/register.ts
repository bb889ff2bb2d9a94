/** Making an account. It can sign in at once, and do more once its address is confirmed. */
import type { AccountDeps, Client } from '../../deps.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { isUniqueViolation } from '../../../store/db/pg-errors.ts';
import { registerUser } from '../../../store/users/create-user.ts';
import { hashPassword } from '../../../store/users/passwords.ts';
import { countRegistration } from '../account-limits.ts';
import { createUsernameTaken, OFFICIAL_NAMES, readDisplayName, readEmail, readUsername } from '../profile/names.ts';
import { type SessionTokens, startSession } from './open-session.ts';
import { checkPassword } from '../password/rules.ts';

export interface Registration {
  username: string;
  name: string;
  email: string;
  password: string;
}

/**
 * Errors: BAD_INPUT, WEAK_PASSWORD, USERNAME_TAKEN, EMAIL_TAKEN, RATE_LIMITED. That an address has an account cannot be hidden here, since a new account
 * may sign in at once and one that was there before may not; so a network can ask for few.
 */
export async function register(deps: AccountDeps, client: Client, given: Registration): Promise<SessionTokens> {
  const person = {
    username: readUsername(given.username),
    name: readDisplayName(given.name),
    email: readEmail(given.email),
  };
  checkPassword(given.password, person);
  await countRegistration(deps.db, client.address);
  const passwordHash = await hashPassword(given.password, deps.hashCost);
  const result = await insertAccount(deps, { ...person, passwordHash });
  if (result.kind === 'taken') throw result.field === 'email' ? createEmailTaken() : createUsernameTaken();
  deps.onDecided();
  return startSession(deps, result.id, client);
}

async function insertAccount(
  { db, now }: AccountDeps,
  person: Omit<Registration, 'password'> & { passwordHash: string },
): Promise<Awaited<ReturnType<typeof registerUser>>> {
  try {
    return await registerUser(db, { ...person, now: now() }, OFFICIAL_NAMES);
  } catch (error) {
    // Two requests at the same moment.
    if (isUniqueViolation(error, 'users_email_key')) return { kind: 'taken', field: 'email' };
    if (isUniqueViolation(error, 'users_username_key')) return { kind: 'taken', field: 'username' };
    throw error;
  }
}

function createEmailTaken(): RefusedCommandError {
  const message = 'There is an account with this address. Sign in, or ask for a new password (requestPasswordReset).';
  return new RefusedCommandError('EMAIL_TAKEN', message, 'email');
}
