/** Accounts: who writes here. */
import { canBeName } from '../db/can-be-name.ts';
import type { Database } from '../db/database.ts';

export interface NewUser {
  /** Lower-case letters, digits, `-` and `_`; at most 39. */
  username: string;
  name: string;
  email: string;
  passwordHash: string;
  now: Date;
}

/** Makes an account. Throws PostgreSQL's 23505 where the user name or the address is taken. */
export function createUser(db: Database, user: NewUser): Promise<{ id: string }> {
  return db
    .insertInto('users')
    .values({
      username: user.username,
      name: user.name,
      email: user.email,
      passwordHash: user.passwordHash,
      createdAt: user.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** The account behind an e-mail address, whatever its case; undefined where there is none. */
export function findUserByEmail(db: Database, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'passwordHash', 'suspendedAt'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
}

export function findUserById(db: Database, id: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'trusted', 'suspendedAt'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The public face of an author; undefined where there is no such user name. */
export async function findAuthor(db: Database, username: string) {
  if (!canBeName(username)) return undefined;
  return db.selectFrom('users').select(['id', 'username', 'name']).where('username', '=', username).executeTakeFirst();
}

export async function setPassword(db: Database, userId: string, passwordHash: string): Promise<void> {
  await db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
}
