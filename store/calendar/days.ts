/**
 * Calendar days in a time zone. A day is an ISO date (`2026-11-23`), a zone an IANA name. An
 * unknown zone throws a `RangeError`.
 */
import { Temporal } from 'temporal-polyfill';

/** Returns the day of a moment in a zone. */
export function findLocalDate(at: Date, zone: string): string {
  return toZonedTime(at, zone).toPlainDate().toString();
}

/** Returns the moment when a day begins in a zone; `days` shifts the day. */
export function findStartOfDay(date: string, zone: string, days = 0): Date {
  const start = Temporal.PlainDate.from(date).add({ days }).toZonedDateTime(zone);
  return new Date(start.epochMilliseconds);
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

export function toZonedTime(at: Date, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
}
