/**
 * When the next digest is due, given the last one. It does not depend on the present time: however often an author changes the rhythm, the next
 * digest keeps its distance from the last one and comes at the first moment of the rhythm after that, at once if that has passed.
 */
import { findLocalDate } from './days.ts';
import { type DigestFrequency, type DigestRhythm, findNextDue } from './digest-rhythm.ts';

export interface LastDigest {
  /** When it was due, or when its mail went out, whichever is later. */
  at: Date;
  /** The rhythm in which it was due. */
  frequency: DigestFrequency;
  /** Its day: the next one is of a later day. */
  date: string;
}

const HOUR_MS = 60 * 60_000;

/**
 * The least time between two digests of one author: about half the time that the rhythm leaves between them, so that a late mail or an earlier
 * hour neither brings two in a row nor drops one. Where the frequency changes, the shorter one counts.
 */
export const MINIMUM_DISTANCE_MS: Readonly<Record<DigestFrequency, number>> = {
  daily: 12 * HOUR_MS,
  weekly: 3 * 24 * HOUR_MS,
  monthly: 14 * 24 * HOUR_MS,
  off: 0,
};

/** `since`: when digests were turned on. Null for `off`. */
export function findDueAfterLast(rhythm: DigestRhythm, since: Date, last: LastDigest | null): Date | null {
  if (last === null) return findNextDue(rhythm, since);
  const distance = Math.min(MINIMUM_DISTANCE_MS[last.frequency], MINIMUM_DISTANCE_MS[rhythm.frequency]);
  let due = findNextDue(rhythm, new Date(Math.max(since.getTime(), last.at.getTime() + distance - 1)));
  while (due !== null && findLocalDate(due, rhythm.zone) <= last.date) due = findNextDue(rhythm, due);
  return due;
}
