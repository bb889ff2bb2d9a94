/** Forgets what is over: sessions that ended, refresh tokens that were replaced, links and mails, each a while after. */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';

/** For as long a reused token still ends its session, and an operator still finds out what became of a mail. */
const KEPT_MS = 30 * 24 * 3_600_000;
/** Rows of a table at once: a sweep is short, and the next one goes on. */
const BATCH = 1_000;

const OVER = [
  ['sessions', 'id', sql`least(ended_at, expires_at)`],
  ['refresh_tokens', 'token_hash', sql`replaced_at`],
  ['mail_links', 'id', sql`expires_at`],
  ['mails', 'id', sql`created_at`],
] as const;

export async function sweepAccounts(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  for (const [table, key, over] of OVER) {
    const rows = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${over} < ${before} limit ${BATCH}`;
    await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${rows})`.execute(db as Kysely<DB>);
  }
}
