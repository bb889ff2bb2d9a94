/**
 * Where each account was asked who it is: what a server says of itself counts for nobody who asked another one. Frozen once released; imports
 * no application code.
 *
 * Of accounts that are not connected now it is not known, until they are connected again.
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
];
