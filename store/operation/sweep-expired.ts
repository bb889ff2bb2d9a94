/** Deletes rows after a retention period. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

const DAY_MS = 24 * 3_600_000;
/** Rows per statement, so that locks are short. */
const BATCH_SIZE = 1_000;

interface Expiry {
  /** When a row begins to expire. */
  since: string;
  days: number;
  /** Which rows expire; all without it. */
  condition?: string;
  batch?: number;
}

export const EXPIRING_TABLES = {
  rate_counters: { since: 'resets_at', days: 1 / 1_440 },
  // How long a response is replayed.
  idempotency_keys: { since: 'created_at', days: 1 },
  // Much longer than any work in progress can use a dedupe key.
  notifications: { since: 'created_at', days: 180 },
  // An import has thousands of items. `article_origins` remains, so that no post is imported twice.
  imports: { since: 'ended_at', days: 90, batch: 20 },
  newsletter_subscribers: { since: 'created_at', days: 30, condition: 'confirmed_at is null' },
  // During this time a reused token ends its session, and operators can look up a mail.
  sessions: { since: 'least(ended_at, expires_at)', days: 30 },
  refresh_tokens: { since: 'replaced_at', days: 30 },
  mail_links: { since: 'expires_at', days: 30 },
  mails: { since: 'created_at', days: 30 },
} as const satisfies Record<string, Expiry>;

export type ExpiringTable = keyof typeof EXPIRING_TABLES;

export async function sweepExpired(db: Database, table: ExpiringTable, now: Date): Promise<void> {
  const { since, days, condition = 'true', batch = BATCH_SIZE }: Expiry = EXPIRING_TABLES[table];
  const isExpired = sql`${sql.raw(since)} < ${new Date(now.getTime() - days * DAY_MS)} and ${sql.raw(condition)}`;
  const rows = sql`select ctid from ${sql.table(table)} where ${isExpired} limit ${batch}`;
  for (;;) {
    const { numAffectedRows = 0n } =
      await sql`delete from ${sql.table(table)} where ctid = any(array(${rows})) and ${isExpired}`.execute(db);
    if (numAffectedRows < batch) return;
  }
}
