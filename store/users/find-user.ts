/** Finds an account by address or id, for sign-in and password checks. */
import type { Database } from '../db/database.ts';

/** The account of an e-mail address in any case; undefined if there is none. */
export function findUserByEmail(db: Database, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'passwordHash', 'suspendedAt', 'emailConfirmedAt'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}

/** Includes the password hash, for a signed-in user who must enter the password again. */
export function findUserWithPassword(db: Database, id: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'passwordHash'])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}
