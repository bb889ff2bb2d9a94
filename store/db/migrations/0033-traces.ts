/**
 * The outbox carries the trace of the request that filled it, so that a trace goes on behind it. Frozen once released; imports no application
 * code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table outbox add column traceparent text',
  `comment on column outbox.traceparent is 'As W3C Trace Context writes it; null where nobody traces'`,
];
