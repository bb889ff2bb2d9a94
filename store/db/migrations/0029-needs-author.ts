/** Index: deliveries that wait for their author, which are few among all. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create index deliveries_needs_author_idx on deliveries (article_id)
    where state in ('failed', 'held', 'unknown') and last_error_code is distinct from 'skipped'`,
];
