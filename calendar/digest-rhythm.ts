/**
 * When a digest is due, in the author's own time zone. Where a clock change skips the hour, the digest is due at the first moment after the
 * gap; where the hour occurs twice, at the first occurrence.
 */
import type { Temporal } from 'temporal-polyfill';
import { toZonedTime } from './days.ts';

export type DigestFrequency = 'daily' | 'weekly' | 'monthly' | 'off';

export interface DigestRhythm {
  frequency: DigestFrequency;
  /** 1 is Monday; monthly means the first such day of the month. */
  weekday: number;
  /** 0–23, on the clocks of the zone. */
  hour: number;
  /** IANA name. */
  zone: string;
}

/** The first moment after `after` at which a digest is due; null for `off`. Throws a `RangeError` for an unknown zone. */
export function findNextDue(rhythm: DigestRhythm, after: Date): Date | null {
  if (rhythm.frequency === 'off') return null;
  // No day before this one can be due yet: a digest that the clocks skip is due at the end of its gap, and until then they show the day before.
  let day = toZonedTime(after, rhythm.zone).toPlainDate();
  for (;;) {
    const due = isDigestDay(rhythm, day) ? findMoment(day, rhythm) : null;
    if (due !== null && due > after) return due;
    day = day.add({ days: 1 });
  }
}

/** The last moment from `since` up to `now` at which a digest was due: after an outage one mail goes out, not one for each missed digest. */
export function findLatestDue(rhythm: DigestRhythm, since: Date, now: Date): Date {
  let latest = since;
  // Every rhythm recurs within this time, so the latest moment is not earlier.
  let next = findNextDue(rhythm, new Date(Math.max(since.getTime(), now.getTime() - LONGEST_RHYTHM_MS)));
  while (next !== null && next <= now) {
    latest = next;
    next = findNextDue(rhythm, next);
  }
  return latest;
}

const LONGEST_RHYTHM_MS = 40 * 24 * 60 * 60_000;

function isDigestDay({ frequency, weekday }: DigestRhythm, day: Temporal.PlainDate): boolean {
  if (frequency === 'daily') return true;
  return day.dayOfWeek === weekday && (frequency === 'weekly' || day.day <= 7);
}

function findMoment(day: Temporal.PlainDate, { hour, zone }: DigestRhythm): Date {
  const wanted = day.toPlainDateTime({ hour });
  const found = wanted.toZonedDateTime(zone, { disambiguation: 'compatible' });
  if (found.toPlainDateTime().equals(wanted)) return new Date(found.epochMilliseconds);
  // The clocks skipped this hour. `found` is as far past the gap as the hour was inside it.
  const afterGap = found.add({ nanoseconds: 1 }).getTimeZoneTransition('previous') ?? found;
  return new Date(afterGap.epochMilliseconds);
}
