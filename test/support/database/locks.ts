/**
 * Waits until a number of transactions wait for a lock in this database, which proves that they
 * overlap.
 */
import { sql } from 'kysely';
import type { Database } from '../../../store/db/database.ts';
import { eventually } from '../eventually.ts';

export function waitForLock(db: Database, count = 1): Promise<unknown> {
  return eventually(`${count} to wait for a lock`, async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows.length >= count;
  });
}
