/** Simulates the passing of time by moving timestamps in the database into the past. */
import { sql } from 'kysely';
import type { Database } from '../../../store/db/database.ts';

/**
 * The columns that decide when something is due or stalled. Columns that are absent from the schema
 * are skipped.
 */
const TIMES = {
  articles: ['created_at', 'published_at', 'dispatched_at'],
  deliveries: ['created_at', 'due_at', 'slot_at'],
  delivery_attempts: ['started_at', 'repeated_at', 'answered_at', 'ended_at'],
  connections: ['blocked_until', 'arrival_at'],
};

/** `interval` in the syntax of PostgreSQL: `9 days`. */
export async function passTime(db: Database, interval: string): Promise<void> {
  for (const [table, names] of Object.entries(TIMES)) {
    const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and column_name = any(${names})`.execute(db);
    if (rows.length === 0) continue;
    const changes = rows.map(({ name }) => sql`${sql.ref(name)} = ${sql.ref(name)} - ${interval}::interval`);
    await sql`update ${sql.table(table)} set ${sql.join(changes)}`.execute(db);
  }
}
