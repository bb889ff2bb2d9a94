/** Creates an account. */
import type { Database } from '../db/database.ts';

export interface NewUser {
  /** Lower-case letters, digits, `-` and `_`; at most 39. */
  username: string;
  name: string;
  email: string;
  passwordHash: string;
  now: Date;
}

/** Throws PostgreSQL's 23505 if the user name or the e-mail address is taken. */
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
