/** Records that a worker runs and reaches Temporal, to distinguish an outage from a queue later. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

export type Part = 'worker' | 'temporal';

/** Sightings are recorded every ten seconds. A longer gap than this is an absence. */
export const MAX_SIGHTING_GAP_MS = 30_000;
const ABSENT = sql`make_interval(secs => ${MAX_SIGHTING_GAP_MS / 1000})`;

/**
 * `process` identifies the worker's process. Extends the current period of sightings or starts one,
 * and deletes old periods.
 */
export async function recordSighting(db: Database, part: Part, process: string): Promise<void> {
  const { numAffectedRows } = await sql`update sightings set until = greatest(until, clock_timestamp())
    where part = ${part} and process = ${process} and until > clock_timestamp() - ${ABSENT}`.execute(db);
  if (numAffectedRows !== 0n) return;
  await sql`insert into sightings (part, process, since, until) select ${part}, ${process}, now, now from clock_timestamp() now`.execute(
    db,
  );
  await sql`delete from sightings where until < clock_timestamp() - interval '60 days'`.execute(db);
}
