/** Marks the accounts of operators. No page shows the mark, so a change renders no page again. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(OPERATORS).execute(db);
}

const OPERATORS = `
alter table users add column is_operator boolean not null default false;

create or replace function shown_of_user(person users) returns jsonb language sql immutable as $$
  select to_jsonb(person)
    - array['email', 'email_confirmed_at', 'password_hash', 'stored_bytes', 'shown_at', 'is_operator']
$$;
`;
