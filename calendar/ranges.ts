/** The days that statistics are of, in a time zone, up to today; and as many before, with which they are compared. */
import { Temporal } from 'temporal-polyfill';

export type RangeName = '7d' | '30d' | '90d' | '12m';

export interface DayRange {
  name: RangeName;
  /** What each of its steps is. */
  unit: 'day' | 'month';
  /** The oldest first; the last of them is not over. */
  steps: DaySpan[];
  whole: DaySpan;
  before: DaySpan;
}

/** Days, both of them included, and the moments at which the first begins and the last ends. */
export interface DaySpan {
  from: string;
  to: string;
  begin: Date;
  end: Date;
}

const DAYS: Partial<Record<RangeName, number>> = { '7d': 7, '30d': 30, '90d': 90 };
const MONTHS = 12;

/** The range that was asked for, or thirty days for anything else. */
export function layOutRange(asked: unknown, { zone, now }: { zone: string; now: Date }): DayRange {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const name = asked === '7d' || asked === '90d' || asked === '12m' ? asked : '30d';
  const days = DAYS[name];
  const span = (from: Temporal.PlainDate, to: Temporal.PlainDate) => describeSpan(from, to, zone);
  if (days !== undefined) {
    const from = today.subtract({ days: days - 1 });
    return {
      name,
      unit: 'day',
      steps: Array.from({ length: days }, (_, n) => from.add({ days: n })).map((day) => span(day, day)),
      whole: span(from, today),
      before: span(from.subtract({ days }), today.subtract({ days })),
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
    whole: span(from, today),
    // The present month is not over, so neither is what it is compared with.
    before: span(from.subtract({ years: 1 }), today.subtract({ years: 1 })),
  };
}

/** Where midnight does not exist, a day begins with its first moment. */
function describeSpan(from: Temporal.PlainDate, to: Temporal.PlainDate, zone: string): DaySpan {
  const begin = new Date(from.toZonedDateTime(zone).epochMilliseconds);
  const end = new Date(to.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds);
  return { from: from.toString(), to: to.toString(), begin, end };
}
