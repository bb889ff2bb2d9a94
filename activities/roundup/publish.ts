/** Publishes the weekly roundup. */
import { findWeekBefore } from '../../store/calendar/week.ts';
import { createRoundup } from '../../store/roundups/create-roundup.ts';
import type { ActivityDeps } from '../deps.ts';

export function createRoundupActivities({ db, now }: ActivityDeps) {
  return {
    /** For the last full week before `at` (ISO 8601). Idempotent: one transaction. */
    async publishRoundup({ at }: { at: string }): Promise<{ week: string; entries: number }> {
      const week = findWeekBefore(new Date(at));
      return { week: week.week, entries: await createRoundup(db, week, now()) };
    },
  };
}
