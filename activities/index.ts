/** Every activity, by the name under which the workflows call it. */
import { articleActivities } from './article/advance.ts';
import { remindActivities } from './article/remind.ts';
import { deliveryActivities } from './delivery/index.ts';
import type { ActivityDeps } from './deps.ts';
import { digestActivities } from './digest/send.ts';
import { digestSweepActivities } from './digest/sweep.ts';
import { roundupActivities } from './roundup/publish.ts';
import { stalledActivities } from './stalled/wake.ts';

export function createActivities(deps: ActivityDeps) {
  return {
    ...articleActivities(deps),
    ...deliveryActivities(deps),
    ...digestActivities(deps),
    ...digestSweepActivities(deps),
    ...roundupActivities(deps),
    ...remindActivities(deps),
    ...stalledActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;

export type { DigestOutcome } from '../store/digests/digest-row.ts';
