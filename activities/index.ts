/** Every activity, by the name under which the workflows call it. */
import { articleActivities } from './article/article.ts';
import { remindActivities } from './article/remind.ts';
import { deliveryActivities } from './delivery/index.ts';
import type { ActivityDeps } from './deps.ts';
import { digestActivities } from './digest/digest.ts';
import { digestSweepActivities } from './digest/sweep.ts';
import { roundupActivities } from './roundup/roundup.ts';
import { watchActivities } from './stalled/stalled.ts';

export function createActivities(deps: ActivityDeps) {
  return {
    ...articleActivities(deps),
    ...deliveryActivities(deps),
    ...digestActivities(deps),
    ...digestSweepActivities(deps),
    ...roundupActivities(deps),
    ...remindActivities(deps),
    ...watchActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;

export type { DigestOutcome } from '../store/digests/digests.ts';
