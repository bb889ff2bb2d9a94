/**
 * Calculates when a digest is due in the author's time zone. If a clock change skips the hour, it
 * is due at the end of the gap; if the hour occurs twice, at the first occurrence.
 */
import type { Temporal } from 'temporal-polyfill';
import { findLocalDate, toZonedTime } from './days.ts';

export type DigestFrequency = 'daily' | 'weekly' | 'monthly' | 'off';

export interface DigestRhythm {
  frequency: DigestFrequency;
  /** 1 is Monday. Monthly means the first such day of the month. */
  weekday: number;
  /** 0–23, local time of the zone. */
  hour: number;
  /** IANA name. */
  zone: string;
}

/** The first due moment after `next`; null for `off`. Throws a `RangeError` for an unknown zone. */
export function findNextDue(rhythm: DigestRhythm, after: Date): Date | null {
  if (rhythm.frequency === 'off') return null;
  // Earlier days cannot be due: a skipped digest is due at the end of its gap, and local time shows
  // the previous day until then.
  let day = toZonedTime(after, rhythm.zone).toPlainDate();
  for (;;) {
    const due = isDigestDay(rhythm, day) ? findMoment(day, rhythm) : null;
    if (due !== null && due > after) return due;
    day = day.add({ days: 1 });
  }
}

/** The last due moment from `since` to `now`: after an outage one mail is sent, not several. */
export function findLatestDue(rhythm: DigestRhythm, since: Date, now: Date): Date {
  let latest = since;
  // Every rhythm recurs within this time, so the last due moment is not earlier.
  let next = findNextDue(rhythm, new Date(Math.max(since.getTime(), now.getTime() - MAX_INTERVAL_MS)));
  while (next !== null && next <= now) {
    latest = next;
    next = findNextDue(rhythm, next);
  }
  return latest;
}

const MAX_INTERVAL_MS = 40 * 24 * 60 * 60_000;

function isDigestDay({ frequency, weekday }: DigestRhythm, day: Temporal.PlainDate): boolean {
  if (frequency === 'daily') return true;
  return day.dayOfWeek === weekday && (frequency === 'weekly' || day.day <= 7);
}

function findMoment(day: Temporal.PlainDate, { hour, zone }: DigestRhythm): Date {
  const local = day.toPlainDateTime({ hour });
  const found = local.toZonedDateTime(zone);
  if (found.toPlainDateTime().equals(local)) return new Date(found.epochMilliseconds);
  // The clocks skipped this hour. `found` is as far past the gap as the hour was inside it.
  const afterGap = found.add({ nanoseconds: 1 }).getTimeZoneTransition('previous') ?? found;
  return new Date(afterGap.epochMilliseconds);
}

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
