/** Records that a worker runs and reaches Temporal, to distinguish an outage from a queue later. */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';

export type Part = 'worker' | 'temporal';

/** Sightings are recorded every ten seconds. A longer gap than this is an absence. */
export const MAX_SIGHTING_GAP_MS = 30_000;
const ABSENT = sql`make_interval(secs => ${MAX_SIGHTING_GAP_MS / 1000})`;

/** Extends the period of this worker's `process` or starts one, and deletes old periods. */
export async function recordSighting(db: Database, part: Part, process: string): Promise<void> {
  const { numAffectedRows } = await sql`update sightings set until = greatest(until, clock_timestamp())
    where part = ${part} and process = ${process} and until > clock_timestamp() - ${ABSENT}`.execute(db);
  if (numAffectedRows !== 0n) return;
  await sql`insert into sightings (part, process, since, until) select ${part}, ${process}, now, now from clock_timestamp() now`.execute(
    db,
  );
  await sql`delete from sightings where until < clock_timestamp() - interval '60 days'`.execute(db);
}

export interface Absence {
  from: Date;
  to: Date;
}

/**
 * The first absence between two moments, from its real start to its end, or to the later moment if
 * it has not ended. `unknown` without an earlier sighting: the part may have run unrecorded.
 */
export async function findAbsence(
  db: Kysely<DB>,
  part: Part,
  interval: { from: Date; to: Date },
): Promise<Absence | 'unknown' | null> {
  // All periods of sightings that overlap the time, and the last period before it.
  const { rows } = await sql<{ since: Date; until: Date }>`
    select since, until from sightings where part = ${part} and since <= ${interval.to} and until >= coalesce(
      (select max(until) from sightings where part = ${part} and until < ${interval.from}), ${interval.from})
    order by since`.execute(db);
  const [first, ...rest] = rows;
  if (!first || first.since > interval.from) return 'unknown';
  let seenUntil = first.until;
  for (const { since, until } of rest) {
    if (isAbsence(seenUntil, since)) return { from: seenUntil, to: since };
    if (until > seenUntil) seenUntil = until;
  }
  return isAbsence(seenUntil, interval.to) ? { from: seenUntil, to: interval.to } : null;
}

function isAbsence(from: Date, to: Date): boolean {
  return to.getTime() - from.getTime() > MAX_SIGHTING_GAP_MS;
}
