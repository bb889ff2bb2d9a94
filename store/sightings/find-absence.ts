/** Finds out when a part of the service was not seen by anybody. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { ABSENT_MS, type Part } from './note.ts';

export interface Absence {
  from: Date;
  to: Date;
}

/**
 * The first absence between two moments, from its real beginning to its end, or to the later moment where it lasts. `unknown` where nothing
 * was seen before: it may have been there without being noted.
 */
export async function findAbsence(
  db: Kysely<DB>,
  part: Part,
  between: { from: Date; to: Date },
): Promise<Absence | 'unknown' | null> {
  // All stretches that reach into the time, and the last one before it.
  const { rows } = await sql<{ since: Date; until: Date }>`
    select since, until from sightings where part = ${part} and since <= ${between.to} and until >= coalesce(
      (select max(until) from sightings where part = ${part} and until < ${between.from}), ${between.from})
    order by since`.execute(db);
  const [first, ...rest] = rows;
  if (!first || first.since > between.from) return 'unknown';
  let seen = first.until;
  for (const { since, until } of rest) {
    if (isAbsence(seen, since)) return { from: seen, to: since };
    if (until > seen) seen = until;
  }
  return isAbsence(seen, between.to) ? { from: seen, to: between.to } : null;
}

function isAbsence(from: Date, to: Date): boolean {
  return to.getTime() - from.getTime() > ABSENT_MS;
}
