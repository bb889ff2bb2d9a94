/** Lays out a month as a calendar sheet: complete weeks from Monday to Sunday, in a time zone. */
import { Temporal } from 'temporal-polyfill';
import { toMoment, toZonedTime } from './days.ts';

export interface MonthSheet {
  /** `2026-11` */
  name: string;
  previous: string;
  next: string;
  /** The start of the first day (inclusive) and the end of the last day (exclusive). */
  from: Date;
  end: Date;
  weeks: SheetDay[][];
  /** As `2026-11-22`. */
  today: string;
}

export interface SheetDay {
  /** `2026-11-22` */
  date: string;
  day: number;
  isOfMonth: boolean;
  isToday: boolean;
}

/** Lays out the requested month (`2026-11`), or the current one for any other value. */
export function layOutMonth(requested: unknown, { zone, now }: { zone: string; now: Date }): MonthSheet {
  const today = toZonedTime(now, zone).toPlainDate();
  const month = readMonth(requested) ?? today.toPlainYearMonth();
  const first = month.toPlainDate({ day: 1 });
  const start = first.subtract({ days: first.dayOfWeek - 1 });
  const days = first.dayOfWeek - 1 + first.daysInMonth;
  const weeks = Array.from({ length: Math.ceil(days / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => start.add({ days: 7 * week + day })).map((date) => ({
      date: date.toString(),
      day: date.day,
      isOfMonth: date.toPlainYearMonth().equals(month),
      isToday: date.equals(today),
    })),
  );
  return {
    name: month.toString(),
    previous: month.subtract({ months: 1 }).toString(),
    next: month.add({ months: 1 }).toString(),
    from: toMoment(start, zone),
    end: toMoment(start.add({ weeks: weeks.length }), zone),
    weeks,
    today: today.toString(),
  };
}

/** Returns the local date and time (`09:30`) of a moment in a zone. */
export function formatLocalDateTime(at: Date, zone: string): { date: string; time: string } {
  const local = toZonedTime(at, zone);
  return { date: local.toPlainDate().toString(), time: local.toPlainTime().toString({ smallestUnit: 'minute' }) };
}

/** Accepts years that `Date` supports and that make sense for an article. */
function readMonth(text: unknown): Temporal.PlainYearMonth | null {
  if (typeof text !== 'string' || !/^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/.test(text)) return null;
  return Temporal.PlainYearMonth.from(text);
}
