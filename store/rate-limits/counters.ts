/** Rate limits in fixed windows, counted across all API instances in one statement. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Counts one hit. Returns the count in the present window and the milliseconds until it ends. */
export async function countHit(
  db: Database,
  bucket: string,
  windowMs: number,
): Promise<{ current: number; ttl: number }> {
  const window = sql`make_interval(secs => ${windowMs / 1000})`;
  const result = await sql<{ count: number; ttl: number }>`
    insert into rate_counters as r (bucket, count, resets_at) values (${bucket}, 1, clock_timestamp() + ${window})
    on conflict (bucket) do update set
      count = case when r.resets_at <= clock_timestamp() then 1 else r.count + 1 end,
      resets_at = case when r.resets_at <= clock_timestamp() then clock_timestamp() + ${window} else r.resets_at end
    returning count, ceil(extract(epoch from resets_at - clock_timestamp()) * 1000)::int as ttl`.execute(db);
  const row = result.rows[0];
  if (!row) throw new Error('the rate counter answered no row');
  return { current: row.count, ttl: Math.max(0, row.ttl) };
}

/** One hit less in the present window. */
export async function giveBackHit(db: Database, bucket: string): Promise<void> {
  await sql`update rate_counters set count = count - 1
    where bucket = ${bucket} and count > 0 and resets_at > clock_timestamp()`.execute(db);
}

/** Deletes windows that ended, so that the table stays as small as the number of tokens in use. */
export async function sweepRateCounters(db: Database): Promise<void> {
  await sql`delete from rate_counters where resets_at < clock_timestamp() - interval '1 minute'`.execute(db);
}
