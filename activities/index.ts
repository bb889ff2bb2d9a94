/** Every activity, by the name under which the workflows call it. */
import { articleActivities } from './article.ts';
import type { ActivityDeps } from './deps.ts';
import { digestActivities } from './digest.ts';
import { digestSweepActivities } from './digest-sweep.ts';
import { ledgerActivities } from './ledger.ts';
import { outsideActivities } from './outside.ts';
import { planActivities } from './plan.ts';
import { remindActivities } from './remind.ts';
import { roundupActivities } from './roundup.ts';
import { watchActivities } from './watch.ts';

export function createActivities(deps: ActivityDeps) {
  return {
    ...articleActivities(deps),
    ...planActivities(deps),
    ...outsideActivities(deps),
    ...ledgerActivities(deps),
    ...digestActivities(deps),
    ...digestSweepActivities(deps),
    ...roundupActivities(deps),
    ...remindActivities(deps),
    ...watchActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;

export type { RemotePost } from '../destinations/types.ts';
export type { DigestOutcome } from '../store/digests.ts';
export type { LookUpOutcome } from './outside.ts';
export type { AttemptStep } from './plan.ts';
export type { SendOutcome } from './send.ts';
