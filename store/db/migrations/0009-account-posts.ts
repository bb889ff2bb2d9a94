/**
 * Whose post it is, is asked by account and remote id, and across the authors who are connected to one account. Frozen once released; imports
 * no application code.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'create index accounts_identity_idx on accounts (identity)',
  'create index deliveries_account_post_idx on deliveries (account_id, remote_id)',
  'drop index deliveries_account_id_idx',
  'create index former_posts_account_post_idx on former_posts (account_id, remote_id)',
  'drop index former_posts_account_id_idx',
];
