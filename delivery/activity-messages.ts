/** Inputs and results of activities, as recorded in histories: no article body and no secret. */
import type { DeliveryOutcome } from './outcome.ts';
import type { RetryState } from './retry-state.ts';
import type { AttemptStep, PlanVersions, RecordedOutcome, SendOutcome } from './types.ts';

export interface PlanInput {
  /** Null for a read-only plan, which reserves no rate slot. */
  retry: RetryState | null;
}

export type PlannedStep =
  | {
      kind: 'step';
      step: AttemptStep;
      /** Milliseconds until the reserved rate slot; 0 if it is due now or none is needed. */
      slotInMs: number;
    }
  | { kind: 'end'; outcome: DeliveryOutcome; reason: string };

/** `outcome`: null if no call was due immediately. */
export interface PlannedAndSent {
  planned: PlannedStep;
  outcome: SendOutcome | null;
}

/**
 * `attemptId`: the attempt that ends, or a new id for a step refused before it was sent. The
 * workflow generates it, so that a repeated record uses the same id.
 */
export type OutcomeInput = PlanVersions & { attemptId: string; outcome: RecordedOutcome };
