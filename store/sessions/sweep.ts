/** Deletes ended sessions, replaced refresh tokens, links and mails after a retention period. */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';

/** During this time a reused token ends its session, and operators can look up a mail. */
const RETENTION_MS = 30 * 24 * 3_600_000;
/** Rows per table and sweep, so that a sweep is short; the next one continues. */
const BATCH_SIZE = 1_000;

const EXPIRING_ROWS = [
  ['sessions', 'id', sql`least(ended_at, expires_at)`],
  ['refresh_tokens', 'token_hash', sql`replaced_at`],
  ['mail_links', 'id', sql`expires_at`],
  ['mails', 'id', sql`created_at`],
] as const;

export async function sweepAccounts(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETENTION_MS);
  for (const [table, key, endsAt] of EXPIRING_ROWS) {
    const rows = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${endsAt} < ${before} limit ${BATCH_SIZE}`;
    await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${rows})`.execute(db as Kysely<DB>);
  }
}
