/** Describes the days that a digest covers. */

export interface PeriodText {
  /** day, week, month, 10 days */
  unit: string;
  /** 9 – 15 November 2026 */
  dates: string;
}

/** Throws a `RangeError` if a date is not an ISO date. */
export function describePeriod({ from, to }: { from: string; to: string }): PeriodText {
  const [first, last] = [parseDay(from), parseDay(to)];
  const days = Math.round((last.getTime() - first.getTime()) / 86_400_000) + 1;
  return { unit: nameUnit(days), dates: DATES.formatRange(first, last) };
}

/** The dates are in the author's time zone. Parsing and formatting in UTC does not shift them. */
function parseDay(date: string): Date {
  const at = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) throw new RangeError('the period of a digest requires ISO dates');
  return at;
}

function nameUnit(days: number): string {
  if (days === 1) return 'day';
  if (days === 7) return 'week';
  return days >= 28 && days <= 31 ? 'month' : `${days} days`;
}

const DATES = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
