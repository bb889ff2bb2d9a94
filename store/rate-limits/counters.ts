/** Rate limits in fixed windows, counted across all API instances in one statement. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';

export interface Hits {
  /** Hits in the present window, including this one. */
  current: number;
  /** Milliseconds until the window ends. */
  ttl: number;
}

export async function countHit(db: Database, bucket: string, windowMs: number): Promise<Hits> {
  const { rows } = await buildHit(sql`select ${bucket}::text`, windowMs).execute(db);
  const [hits] = rows;
  if (!hits) throw new Error('the rate counter returned no row');
  return hits;
}

/** Counts one hit for each bucket that `buckets` selects. Can be part of a longer statement. */
export function buildHit(buckets: RawBuilder<unknown>, windowMs: number): RawBuilder<Hits> {
  const window = sql`make_interval(secs => ${windowMs}::float8 / 1000)`;
  return sql<Hits>`
    insert into rate_counters as r (bucket, count, resets_at)
    select hit.bucket, 1, clock_timestamp() + ${window} from (${buckets}) hit (bucket)
    on conflict (bucket) do update set
      count = case when r.resets_at <= clock_timestamp() then 1 else r.count + 1 end,
      resets_at = case when r.resets_at <= clock_timestamp() then clock_timestamp() + ${window} else r.resets_at end
    returning count as current, greatest(0, ceil(extract(epoch from resets_at - clock_timestamp()) * 1000))::int as ttl`;
}

/** Subtracts one hit in the present window. */
export async function revertHit(db: Database, bucket: string): Promise<void> {
  await sql`update rate_counters set count = count - 1
    where bucket = ${bucket} and count > 0 and resets_at > clock_timestamp()`.execute(db);
}
