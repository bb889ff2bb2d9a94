/** Indexes: one's own articles, the newest first, and accounts whose address nobody confirmed. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'create index articles_author_created_idx on articles (author_id, created_at desc, id desc) where deleted_at is null',
  'create index users_unconfirmed_idx on users (created_at) where email_confirmed_at is null and deleted_at is null',
];
