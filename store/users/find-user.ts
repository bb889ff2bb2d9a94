/** Finds an account, for a login, a session or a public page. */
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

/** With the hash of the password, for a signed-in person who is to give it once more. */
export function findUserWithPassword(db: Database, id: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'passwordHash'])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}
