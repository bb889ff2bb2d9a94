/**
 * The demo accounts: the author, a second person for comments and follows, and a third one with a
 * broken destination.
 */
import { randomBytes } from 'node:crypto';
import type { Database } from '../../../store/db/database.ts';
import { createUser } from '../../../store/users/create-user.ts';
import { findUserByEmail } from '../../../store/users/find-user.ts';
import { hashPassword, setPassword, verifyPassword } from '../../../store/users/passwords.ts';

export interface DemoPerson {
  username: string;
  name: string;
  email: string;
}

export const AUTHOR: DemoPerson = { username: 'demo', name: 'Demo Author', email: 'demo@courant.localhost' };
export const SECOND: DemoPerson = { username: 'second', name: 'Second Person', email: 'second@courant.localhost' };
export const THIRD: DemoPerson = { username: 'third', name: 'Third Person', email: 'third@courant.localhost' };

/**
 * Creates the account if it does not exist. `known` is the password of the last run; a missing or
 * wrong one is replaced.
 */
export async function provideDemoAccount(
  db: Database,
  person: DemoPerson,
  { known, now }: { known: string | undefined; now: Date },
): Promise<{ userId: string; password: string }> {
  const user = await findUserByEmail(db, person.email);
  const password = known ?? randomBytes(12).toString('base64url');
  if (user === undefined) {
    const { id } = await createUser(db, { ...person, passwordHash: await hashPassword(password), now });
    return { userId: id, password };
  }
  if (!(await verifyPassword(user.passwordHash, password))) {
    await setPassword(db, user.id, await hashPassword(password));
  }
  return { userId: user.id, password };
}
