/** Formats the numbers, durations and days of statistics. */
import type { DayRange, DaySpan } from '../../../store/calendar/ranges.ts';
import { type Html, html } from '../../web/html.ts';

const NUMBER = new Intl.NumberFormat('en');
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const SHARE = new Intl.NumberFormat('en', { style: 'percent' });
const CHANGE = new Intl.NumberFormat('en', { style: 'percent', signDisplay: 'exceptZero' });
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const NAMED_DAY = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const SHORT_DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const SHORT_MONTH = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

export function formatCompactNumber(value: number): string {
  return COMPACT.format(value);
}

export function formatShare(part: number, total: number): string {
  return SHARE.format(total === 0 ? 0 : part / total);
}

/** Formats a duration with at most two units, such as `2 h 5 min`. */
export function formatReadingTime(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${NUMBER.format(Math.floor(minutes / 60))} h${rest === 0 ? '' : ` ${rest} min`}`;
}

/** Names a step of a range: `name` for tables, `short` for the axis of a plot. */
export function nameStep({ unit }: DayRange, { from }: DaySpan): { name: string; short: string } {
  const date = toDate(from);
  return unit === 'day'
    ? { name: NAMED_DAY.format(date), short: SHORT_DAY.format(date) }
    : { name: MONTH.format(date), short: SHORT_MONTH.format(date) };
}

export function formatDaySpan({ from, to }: DaySpan): string {
  return `${DAY.format(toDate(from))} to ${DAY.format(toDate(to))}`;
}

/** Change since the previous range in per cent. Without a percentage if that range counted none. */
export function renderChange(
  { total, before }: { total: number; before: number },
  format: (value: number) => string,
): Html {
  if (before === 0)
    return html`<span class="soft small">${total === 0 ? 'no earlier data either' : 'no earlier data'}</span>`;
  const change = (total - before) / before;
  const tone = change > 0 ? ' good' : change < 0 ? ' warn' : '';
  return html`<span class="state${tone}">${CHANGE.format(change).replace('-', '−')}</span> <span class="soft small">from ${format(before)}</span>`;
}

function toDate(day: string): Date {
  return new Date(`${day}T00:00Z`);
}
