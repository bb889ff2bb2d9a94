/** Wakes deliveries and articles without a workflow, and applies new rules of time zones. */
import { applyZoneRules } from '../../store/articles/schedules/zone-rules.ts';
import { readDatabaseTime, wakeStalled } from '../../store/deliveries/stalled.ts';
import type { ActivityDeps } from '../deps.ts';

/** Rows per statement. */
const BATCH_SIZE = 2_000;
/** Well below the activity's time-out. The next run, five minutes later, continues. */
const MAX_DURATION_MS = 8_000;

export function createStalledActivities({ db, now }: ActivityDeps) {
  return {
    /** Idempotent. Returns the number of articles woken. */
    async wakeStalledArticles(): Promise<number> {
      const started = performance.now();
      const hasTime = () => performance.now() - started < MAX_DURATION_MS;
      const at = now();
      const due = await readDatabaseTime(db);
      let woken = 0;
      for (let isFull = true; isFull && hasTime(); ) {
        const count = await wakeStalled(db, { now: due, limit: BATCH_SIZE });
        isFull = count >= BATCH_SIZE / 2;
        woken += count;
      }
      while (hasTime() && (await applyZoneRules(db, { now: at, limit: BATCH_SIZE / 20 })) > 0);
      return woken;
    },
  };
}
