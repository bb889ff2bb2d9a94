/**
 * Calculates the due time of the next digest from the last digest. Does not use the current time,
 * so the minimum distance between two digests holds however often an author changes the rhythm.
 */
import { findLocalDate } from './days.ts';
import { type DigestFrequency, type DigestRhythm, findNextDue } from './digest-rhythm.ts';

export interface LastDigest {
  /** The later of its due time and the time its mail was sent. */
  at: Date;
  frequency: DigestFrequency;
  /** The next digest is due on a later day. */
  date: string;
}

const HOUR_MS = 60 * 60_000;

/**
 * The minimum time between two digests of one author: about half the interval, so that a late mail
 * or an earlier hour neither doubles nor drops a digest. If the frequency changes, the smaller
 * value applies.
 */
export const MIN_DISTANCE_MS: Readonly<Record<DigestFrequency, number>> = {
  daily: 12 * HOUR_MS,
  weekly: 3 * 24 * HOUR_MS,
  monthly: 14 * 24 * HOUR_MS,
  off: 0,
};

/** `since` is when digests were enabled. Returns null for `off`. */
export function findDueAfterLast(rhythm: DigestRhythm, since: Date, last: LastDigest | null): Date | null {
  if (last === null) return findNextDue(rhythm, since);
  const distance = Math.min(MIN_DISTANCE_MS[last.frequency], MIN_DISTANCE_MS[rhythm.frequency]);
  let due = findNextDue(rhythm, new Date(Math.max(since.getTime(), last.at.getTime() + distance - 1)));
  while (due !== null && findLocalDate(due, rhythm.zone) <= last.date) due = findNextDue(rhythm, due);
  return due;
}
