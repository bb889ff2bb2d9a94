/** Reads a local time in a named zone (RFC 9557: `2027-03-28T09:00[Europe/Berlin]`). */
import { Temporal } from 'temporal-polyfill';
import { readZone } from '../time-zone.ts';

export interface ZonedTime {
  at: Date;
  zone: string;
  /** The clocks show this time twice that day. `at` is the first unless an offset selects one. */
  isTwice: boolean;
}

/**
 * `local` is ISO 8601, checked against the calendar; `offset` is written beside the zone, or null.
 * `problem` is the end of a sentence.
 */
export function readZonedTime(local: string, zone: string, offset: string | null): ZonedTime | { problem: string } {
  const timeZone = readZone(zone);
  if (timeZone === null) {
    return {
      problem: `has a time zone that does not exist (${zone.slice(0, 60)}); write a zone such as Europe/Berlin`,
    };
  }
  const wall = Temporal.PlainDateTime.from(local);
  // RFC 9557: UTC defines the instant but no place, so it contradicts no zone.
  if (offset !== null && UTC.test(offset)) {
    return { at: new Date(wall.toZonedDateTime('UTC').epochMilliseconds), zone: timeZone, isTwice: false };
  }
  const [first, second] = [
    wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' }),
    wall.toZonedDateTime(timeZone, { disambiguation: 'later' }),
  ];
  const candidates = first.equals(second) ? [first] : [first, second];
  const valid = candidates.filter((candidate) => candidate.toPlainDateTime().equals(wall));
  if (valid.length === 0) {
    return { problem: `has a time that ${timeZone} skips on that day, when clocks are set forward (${local})` };
  }
  const chosen = offset === null ? valid[0] : valid.find((candidate) => isSameOffset(candidate.offset, offset));
  if (!chosen) return { problem: `has the offset ${offset}, which ${timeZone} does not have at that time` };
  return { at: new Date(chosen.epochMilliseconds), zone: timeZone, isTwice: offset === null && valid.length === 2 };
}

/** The local time of the zone then, ISO 8601 without an offset; null for an unknown zone. */
export function showInZone(at: Date, zone: string): string | null {
  const timeZone = readZone(zone);
  if (timeZone === null) return null;
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDateTime().toString();
}

/**
 * The instant at which clocks of the zone show `local`; null for an unknown zone. Of a repeated
 * time the one nearer to `near`; a skipped one moves by the gap.
 */
export function findInZone(local: string, zone: string, near: Date): Date | null {
  const timeZone = readZone(zone);
  if (timeZone === null) return null;
  const wall = Temporal.PlainDateTime.from(local);
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) =>
    wall.toZonedDateTime(timeZone, { disambiguation }),
  ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime];
  const isSkipped = !first.toPlainDateTime().equals(wall);
  const distance = (time: Temporal.ZonedDateTime) => Math.abs(time.epochMilliseconds - near.getTime());
  return new Date((isSkipped || distance(second) < distance(first) ? second : first).epochMilliseconds);
}

const UTC = /^(?:z|utc|gmt|-00(?::?00)?)$/i;

function isSameOffset(actual: string, written: string): boolean {
  const digits = written.replace(':', '');
  return actual.replace(':', '') === (digits.length === 3 ? `${digits}00` : digits);
}
