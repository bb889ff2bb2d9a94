/** The rate budget of one account at a destination: whatever number of deliveries wait, they take their turns from one row. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Takes the next turn of an account's rate budget: GCRA in one statement, so that any number of workers agree and each caller
 * gets a moment of its own. Answers the milliseconds until that moment; 0 is now, and where the connection is gone.
 */
export async function reserveSlot(
  db: Database,
  connectionId: string,
  pacing: { intervalMs: number; burst: number },
): Promise<number> {
  const interval = sql`make_interval(secs => ${pacing.intervalMs / 1000})`;
  const tolerance = sql`make_interval(secs => ${(pacing.intervalMs * (pacing.burst - 1)) / 1000})`;
  const { rows } = await sql<{ waitMs: number }>`
    update connections set arrival_at = greatest(arrival_at, clock_timestamp()) + ${interval}
    where id = ${connectionId}
    returning (extract(epoch from arrival_at - ${interval} - ${tolerance} - clock_timestamp()) * 1000)::float8 as wait_ms
  `.execute(db);
  return Math.max(0, Math.ceil(rows[0]?.waitMs ?? 0));
}

/** A 429 speaks for the whole account: turns begin again at `until`, and those that were given out before are void. */
export async function blockConnection(db: Database, connectionId: string, forMs: number): Promise<void> {
  const until = sql`clock_timestamp() + make_interval(secs => ${forMs / 1000})`;
  await sql`update connections set blocked_until = greatest(blocked_until, ${until}), arrival_at = greatest(arrival_at, ${until})
    where id = ${connectionId}`.execute(db);
}
