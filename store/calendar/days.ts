/** A day is an ISO date (`2026-11-23`), a zone an IANA name; an unknown one throws `RangeError`. */
import { Temporal } from 'temporal-polyfill';

/** Returns the day of a moment in a zone. */
export function findLocalDate(at: Date, zone: string): string {
  return toZonedTime(at, zone).toPlainDate().toString();
}

/** Returns the moment when a day begins in a zone; `days` shifts the day. */
export function findStartOfDay(date: string, zone: string, days = 0): Date {
  return toMoment(Temporal.PlainDate.from(date).add({ days }), zone);
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

export function toZonedTime(at: Date, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
}

/** If midnight does not exist in the zone, returns the first moment of the day. */
export function toMoment(day: Temporal.PlainDate, zone: string): Date {
  return new Date(day.toZonedDateTime(zone).epochMilliseconds);
}
