/** Publishes the roundup of a week. */

import { findWeekBefore } from '../../calendar/week.ts';
import { makeRoundup } from '../../store/roundups/make-roundup.ts';
import type { ActivityDeps } from '../deps.ts';

export function roundupActivities({ db, now }: ActivityDeps) {
  return {
    /** Of the last whole week before `at`, in ISO 8601. Page, entries and notifications are one transaction, made once however often it runs. */
    async publishRoundup({ at }: { at: string }): Promise<{ week: string; entries: number }> {
      const week = findWeekBefore(new Date(at));
      return { week: week.week, entries: await makeRoundup(db, week, now()) };
    },
  };
}
