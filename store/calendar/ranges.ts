/** Date ranges of statistics in a time zone, up to today, and the ranges before. */
import { Temporal } from 'temporal-polyfill';
import { toMoment, toZonedTime } from './days.ts';

export type RangeName = '7d' | '30d' | '90d' | '12m';

export interface DayRange {
  name: RangeName;
  /** The length of each step. */
  unit: 'day' | 'month';
  /** Oldest first. The last step is incomplete. */
  steps: DaySpan[];
  total: DaySpan;
  previous: DaySpan;
}

/** The first and last day (inclusive), and the moments when the first begins and the last ends. */
export interface DaySpan {
  from: string;
  to: string;
  begin: Date;
  end: Date;
}

const DAYS: Partial<Record<RangeName, number>> = { '7d': 7, '30d': 30, '90d': 90 };
const MONTHS = 12;

/** Lays out the requested range, or thirty days for any other value. */
export function layOutRange(requested: unknown, { zone, now }: { zone: string; now: Date }): DayRange {
  const today = toZonedTime(now, zone).toPlainDate();
  const name = requested === '7d' || requested === '90d' || requested === '12m' ? requested : '30d';
  const days = DAYS[name];
  const span = (from: Temporal.PlainDate, to: Temporal.PlainDate) => describeSpan(from, to, zone);
  if (days !== undefined) {
    const from = today.subtract({ days: days - 1 });
    return {
      name,
      unit: 'day',
      steps: Array.from({ length: days }, (_, n) => from.add({ days: n })).map((day) => span(day, day)),
      total: span(from, today),
      previous: span(from.subtract({ days }), today.subtract({ days })),
    };
  }
  const from = today.with({ day: 1 }).subtract({ months: MONTHS - 1 });
  return {
    name,
    unit: 'month',
    steps: Array.from({ length: MONTHS }, (_, n) => from.add({ months: n })).map((first) => {
      const last = first.with({ day: first.daysInMonth });
      return span(first, Temporal.PlainDate.compare(last, today) > 0 ? today : last);
    }),
    total: span(from, today),
    // The current month is incomplete, so it is compared with the same part of the earlier one.
    previous: span(from.subtract({ years: 1 }), today.subtract({ years: 1 })),
  };
}

function describeSpan(from: Temporal.PlainDate, to: Temporal.PlainDate, zone: string): DaySpan {
  const [begin, end] = [toMoment(from, zone), toMoment(to.add({ days: 1 }), zone)];
  return { from: from.toString(), to: to.toString(), begin, end };
}
