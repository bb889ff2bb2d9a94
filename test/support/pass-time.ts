/** Lets time pass for the database: what it recorded is that much older. */
import { sql } from 'kysely';
import type { Database } from '../../store/db/database.ts';

/** What decides when something is due, or found to be stalled. A column that a version of the schema does not have is left out. */
const TIMES = {
  articles: ['created_at', 'published_at', 'dispatched_at'],
  deliveries: ['created_at', 'due_at', 'slot_at'],
  delivery_attempts: ['started_at', 'repeated_at', 'answered_at', 'ended_at'],
  connections: ['blocked_until', 'arrival_at'],
};

/** `interval` as PostgreSQL reads it: `9 days`. */
export async function passTime(db: Database, interval: string): Promise<void> {
  for (const [table, names] of Object.entries(TIMES)) {
    const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and column_name = any(${names})`.execute(db);
    if (rows.length === 0) continue;
    const changes = rows.map(({ name }) => sql`${sql.ref(name)} = ${sql.ref(name)} - ${interval}::interval`);
    await sql`update ${sql.table(table)} set ${sql.join(changes)}`.execute(db);
  }
}
