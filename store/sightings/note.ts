/** Notes that a worker runs, and that it reaches Temporal, so that an outage can be told from a queue afterwards. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

export type Part = 'worker' | 'temporal';

/** Sightings come every ten seconds; more than this between two of them is an absence. */
export const ABSENT_MS = 30_000;
const ABSENT = sql`make_interval(secs => ${ABSENT_MS / 1000})`;

/** `process` names the worker's process. Continues its stretch, or begins one; then those that are long past are removed. */
export async function noteSighting(db: Database, part: Part, process: string): Promise<void> {
  const { numAffectedRows } = await sql`update sightings set until = greatest(until, clock_timestamp())
    where part = ${part} and process = ${process} and until > clock_timestamp() - ${ABSENT}`.execute(db);
  if (numAffectedRows !== 0n) return;
  await sql`insert into sightings (part, process, since, until) select ${part}, ${process}, now, now from clock_timestamp() now`.execute(
    db,
  );
  await sql`delete from sightings where until < clock_timestamp() - interval '60 days'`.execute(db);
}
