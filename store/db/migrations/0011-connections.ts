/**
 * Where each account was asked who it is: what a server says of itself counts for nobody who asked another one. And in which order an author
 * gave the commands that connect and disconnect: trying a credential may take long. Frozen once released; imports no application code.
 *
 * Of accounts that are not connected now it is not known where they were asked, until they are connected again.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table accounts add column origin text',
  `comment on column accounts.origin is 'Scheme, host and port of the server that was asked last; null where it is not known'`,
  `update accounts a set origin = lower(substring(c.base_url from '^[A-Za-z]+://[^/?#]+'))
    from connections c where c.account_id = a.id`,

  'create sequence connection_command_numbers',
  `create table connection_commands (
    user_id uuid not null references users on delete cascade,
    destination text not null,
    number bigint not null,
    primary key (user_id, destination)
  )`,
  `comment on table connection_commands is 'The latest command of an author that connected or disconnected a destination: none that was given before may undo it'`,
];
