/** Finds the time in which no process saw a part of the service. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { MAX_SIGHTING_GAP_MS, type Part } from './record-sighting.ts';

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
