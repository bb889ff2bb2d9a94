/** Work of which one instance is enough at a time says here who does it. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table leases (
    work text primary key,
    holder uuid not null,
    leased_until timestamptz not null
  )`,
  `comment on table leases is 'Work that one instance does for all. A lease that nobody renews expires, and the work goes to another'`,
];
