/** What the activities of a delivery are asked, and what they answer, as it stands in workflow histories: ids and sentences, no body and no secret. */
import type { DeliveryOutcome } from './outcome.ts';
import type { RetryState } from './retry-state.ts';
import type { AttemptStep, Decided, Ending, SendOutcome } from './types.ts';

export interface PlanInput {
  /** What went wrong before; null where the plan is only a look at what is due: no slot is reserved then. */
  carried: RetryState | null;
}

export type PlannedStep =
  | {
      kind: 'step';
      step: AttemptStep;
      /** Until the reserved rate slot; 0 is now, and where none is needed. */
      slotInMs: number;
    }
  | { kind: 'end'; outcome: DeliveryOutcome; why: string };

/** `outcome`: of the call, where one was due at once. */
export interface PlannedAndSent {
  planned: PlannedStep;
  outcome: SendOutcome | null;
}

/** `attemptId`: of the attempt that ends, or a new one for what was refused before it was sent. Made by the workflow, so that a repeat has the same. */
export type EndingInput = Decided & { attemptId: string; ending: Ending };
