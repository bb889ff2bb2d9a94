/** Registers an account and opens a session. Most actions require a confirmed address later. */
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { isUniqueViolation } from '../../../store/db/pg-errors.ts';
import { registerUser } from '../../../store/users/create-user.ts';
import { hashPassword } from '../../../store/users/passwords.ts';
import type { AccountDeps, Client } from '../../auth/account-deps.ts';
import { countRegistration } from '../../auth/account-limits.ts';
import { type SessionTokens, startSession } from '../../auth/open-session.ts';
import { readEmail } from '../../auth/read-email.ts';
import { checkPassword } from '../password/rules.ts';
import { createUsernameTakenError, OFFICIAL_NAMES, readDisplayName, readUsername } from '../profile/profile-rules.ts';

export interface Registration {
  username: string;
  name: string;
  email: string;
  password: string;
}

/**
 * EMAIL_TAKEN reveals that an address has an account. This cannot be hidden, because a new account
 * is signed in at once. Requests per network are therefore limited. Errors: BAD_INPUT,
 * WEAK_PASSWORD, USERNAME_TAKEN, EMAIL_TAKEN, RATE_LIMITED.
 */
export async function register(deps: AccountDeps, client: Client, registration: Registration): Promise<SessionTokens> {
  const person = {
    username: readUsername(registration.username),
    name: readDisplayName(registration.name),
    email: readEmail(registration.email),
  };
  checkPassword(registration.password, person);
  await countRegistration(deps.db, client.address);
  const passwordHash = await hashPassword(registration.password, deps.hashCost);
  const result = await insertAccount(deps, { ...person, passwordHash });
  if (result.kind === 'taken') throw result.field === 'email' ? createEmailTaken() : createUsernameTakenError();
  deps.onOutboxWrite();
  return startSession(deps, result.id, client);
}

async function insertAccount(
  { db, now }: AccountDeps,
  person: Omit<Registration, 'password'> & { passwordHash: string },
): Promise<Awaited<ReturnType<typeof registerUser>>> {
  try {
    return await registerUser(db, { ...person, now: now() }, OFFICIAL_NAMES);
  } catch (error) {
    // A concurrent request took the name or the address after the check.
    if (isUniqueViolation(error, 'users_email_key')) return { kind: 'taken', field: 'email' };
    if (isUniqueViolation(error, 'users_username_key')) return { kind: 'taken', field: 'username' };
    throw error;
  }
}

function createEmailTaken(): RefusedCommandError {
  const message =
    'An account with this address already exists. Sign in, or request a new password (requestPasswordReset).';
  return new RefusedCommandError('EMAIL_TAKEN', message, 'email');
}
