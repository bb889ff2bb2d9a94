/**
 * Adds the networks of sessions, and user names that can be moved. Frozen once released; imports no
 * application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table sessions add column network bytea',
  `comment on column sessions.network is 'Keyed hash of the account and the network that signed in; null in sessions that no sign-in opened'`,

  // Foreign keys lock a row against changes of columns with a full unique index. With a partial
  // index, a user name can change while somebody follows the author (PostgreSQL manual, FOR
  // UPDATE).
  'drop index users_username_key',
  'create unique index users_username_key on users (username) where username is not null',
];
