/** The rate limit of one account at a destination: however many deliveries wait, they reserve their slots in one row. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Reserves the account's next allowed moment to write: GCRA in one statement, so that any number of workers agree and each caller gets a
 * moment of its own. Returns the milliseconds until that moment: 0 means now, or that the connection is gone.
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

/** A 429 applies to the whole account: slots start again after `forMs`, and those reserved before are void. */
export async function blockConnection(db: Database, connectionId: string, forMs: number): Promise<void> {
  const until = sql`clock_timestamp() + make_interval(secs => ${forMs / 1000})`;
  await sql`update connections set blocked_until = greatest(blocked_until, ${until}), arrival_at = greatest(arrival_at, ${until})
    where id = ${connectionId}`.execute(db);
}
