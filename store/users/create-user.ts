/** Creates accounts. */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { enqueueMail } from '../mails/enqueue.ts';

export interface NewUser {
  /** Lower-case letters, digits, `-` and `_`; at most 39. */
  username: string;
  name: string;
  email: string;
  passwordHash: string;
  now: Date;
}

/** An operator's, with confirmed address. Throws PostgreSQL's 23505 if name or address is taken. */
export function createUser(db: Database, user: NewUser): Promise<{ id: string }> {
  return insertUser(db, user, user.now);
}

/**
 * Creates an account and the mail that confirms its address, or returns the field that is taken. A
 * user name is also taken if an existing or `reserved` one looks the same.
 */
export async function registerUser(
  db: Database,
  user: NewUser,
  reserved: readonly string[],
): Promise<{ kind: 'registered'; id: string } | { kind: 'taken'; field: 'username' | 'email' }> {
  return db.transaction().execute(async (tx) => {
    // Serialises names that look alike, since no constraint covers them.
    await sql`select pg_advisory_xact_lock(hashtextextended('courant/username/' || username_look(${user.username}), 0))`.execute(
      tx,
    );
    const { rows } = await sql<{ username: boolean; email: boolean }>`
      select exists (select from users where username_look(username) = username_look(${user.username}))
          or exists (select from unnest(${reserved}::text[]) as name where username_look(name) = username_look(${user.username}))
          as username,
        exists (select from users where lower(email) = lower(${user.email})) as email`.execute(tx);
    if (rows[0]?.username) return { kind: 'taken', field: 'username' };
    if (rows[0]?.email) return { kind: 'taken', field: 'email' };
    const { id } = await insertUser(tx, user, null);
    await enqueueMail(tx, { kind: 'confirm_email', userId: id, email: user.email, now: user.now });
    return { kind: 'registered', id };
  });
}

function insertUser(db: Kysely<DB>, { now, ...user }: NewUser, emailConfirmedAt: Date | null) {
  return db
    .insertInto('users')
    .values({ ...user, emailConfirmedAt, createdAt: now })
    .returning('id')
    .executeTakeFirstOrThrow();
}
