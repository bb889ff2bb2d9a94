/** Wakes stalled deliveries and articles, whose workflow is gone, through the outbox, and moves schedules whose zone has new rules. */
import { applyZoneRules } from '../../store/articles/zone-rules.ts';
import { wakeStalled } from '../../store/deliveries/stalled.ts';
import type { ActivityDeps } from '../deps.ts';

/** Per run; the next run finds the rest. */
const MOST_AT_ONCE = 1_000;

export function createStalledActivities({ db, now }: ActivityDeps) {
  return {
    /** Returns how many articles were woken; idempotent. The name `wakeForgotten` is in recorded histories, so it stays. */
    async wakeForgotten(): Promise<number> {
      await applyZoneRules(db, { now: now(), limit: MOST_AT_ONCE });
      return wakeStalled(db, { now: now(), limit: MOST_AT_ONCE });
    },
  };
}
