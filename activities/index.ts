/** Every activity, by the name under which the workflows call it. */
import { articleActivities } from './article/advance.ts';
import { remindActivities } from './article/remind.ts';
import { outsideActivities } from './delivery/outside.ts';
import { planActivities } from './delivery/plan.ts';
import { ledgerActivities } from './delivery/record.ts';
import type { ActivityDeps } from './deps.ts';
import { digestActivities } from './digest/send.ts';
import { digestSweepActivities } from './digest/sweep.ts';
import { roundupActivities } from './roundup/publish.ts';
import { stalledActivities } from './stalled/wake.ts';

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
    ...stalledActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;

export type { RemotePost } from '../destinations/types.ts';
export type { DigestOutcome } from '../store/digests/digest-row.ts';
export type { LookUpOutcome } from './delivery/outside.ts';
export type { AttemptStep } from './delivery/plan.ts';
export type { SendOutcome } from './delivery/send.ts';
