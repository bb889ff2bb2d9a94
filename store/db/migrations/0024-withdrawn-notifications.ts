/** Notifications that are withdrawn keep their keys, so that one that comes back is not announced again. Frozen once released; imports no application code. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table notifications add column withdrawn_at timestamptz',
  `comment on column notifications.withdrawn_at is 'While what it is about is hidden: it is neither listed, counted nor sent'`,
  'drop index notifications_unread_idx',
  'create index notifications_unread_idx on notifications (user_id) where read_at is null and withdrawn_at is null',
];
