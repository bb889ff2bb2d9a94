/** Weeks of the roundup: ISO weeks, Monday to Sunday in UTC. */
import { toMoment, toZonedTime } from './days.ts';

export interface RoundupWeek {
  /** `2026-W47` */
  week: string;
  /** Monday 00:00 UTC of this week, and of the next week. */
  from: Date;
  end: Date;
}

/** Returns the last complete week before `at`. */
export function findWeekBefore(at: Date): RoundupWeek {
  const today = toZonedTime(at, 'UTC').toPlainDate();
  const end = today.subtract({ days: today.dayOfWeek - 1 });
  const monday = end.subtract({ days: 7 });
  // The ISO year of a week can differ from the year of its Monday.
  const week = `${String(monday.yearOfWeek).padStart(4, '0')}-W${String(monday.weekOfYear).padStart(2, '0')}`;
  return { week, from: toMoment(monday, 'UTC'), end: toMoment(end, 'UTC') };
}

export function isWeekName(text: string): boolean {
  return /^\d{4}-W\d{2}$/.test(text);
}
