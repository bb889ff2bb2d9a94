/** Wakes stalled deliveries and articles, whose workflow is gone, through the outbox, and moves schedules whose zone has new rules. */
import { applyZoneRules } from '../../store/articles/schedules/zone-rules.ts';
import { readTime, wakeStalled } from '../../store/deliveries/stalled.ts';
import type { ActivityDeps } from '../deps.ts';

/** In one statement. */
const PORTION = 2_000;
/** Well below the activity's time-out; the next run, five minutes later, finds the rest. */
const LONGEST_MS = 8_000;

export function createStalledActivities({ db, now }: ActivityDeps) {
  return {
    /** Returns how many articles were woken; idempotent. The name `wakeForgotten` is in recorded histories, so it stays. */
    async wakeForgotten(): Promise<number> {
      const started = performance.now();
      const hasTime = () => performance.now() - started < LONGEST_MS;
      const at = now();
      const due = await readTime(db);
      let woken = 0;
      for (let isFull = true; isFull && hasTime(); ) {
        const portion = await wakeStalled(db, { now: due, limit: PORTION });
        isFull = portion >= PORTION / 2;
        woken += portion;
      }
      while (hasTime() && (await applyZoneRules(db, { now: at, limit: PORTION / 20 })) > 0);
      return woken;
    },
  };
}
