/** Publishes the roundup of a week. */
import { findWeekBefore } from '../../calendar/week.ts';
import { makeRoundup } from '../../store/roundups/make-roundup.ts';
import type { ActivityDeps } from '../deps.ts';

export function createRoundupActivities({ db, now }: ActivityDeps) {
  return {
    /** For the last whole week before `at` (ISO 8601). Idempotent: page, entries and notifications are written once, in one transaction. */
    async publishRoundup({ at }: { at: string }): Promise<{ week: string; entries: number }> {
      const week = findWeekBefore(new Date(at));
      return { week: week.week, entries: await makeRoundup(db, week, now()) };
    },
  };
}
