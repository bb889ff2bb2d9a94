/** Whoever suspends an author, by whatever means: every instance of the API hears of it and ends the author's streams. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create function notify_suspension() returns trigger language plpgsql as $$
    begin
      perform pg_notify('courant_suspensions', new.id::text);
      return null;
    end
  $$`,
  `create trigger users_suspended after update of suspended_at on users for each row
    when (old.suspended_at is null and new.suspended_at is not null) execute function notify_suspension()`,
];
