/** The watch's look: wakes what was forgotten, through the outbox. */
import { wakeForgotten } from '../../store/deliveries/stalled.ts';
import type { ActivityDeps } from '../deps.ts';

/** At once; the rest is found by the next look. */
const MOST_AT_ONCE = 1_000;

export function stalledActivities({ db, now }: ActivityDeps) {
  return {
    /** Answers how many articles were woken. Running it twice costs their actors a look. */
    wakeForgotten: () => wakeForgotten(db, { now: now(), limit: MOST_AT_ONCE }),
  };
}
