/**
 * How steps and retry states look in workflow histories. Histories outlive the code: these names never change, whatever the code calls
 * the things today, and this is the only place that maps one to the other.
 */
import type { RetryState } from './retry-state.ts';
import type { AttemptStep, Rest, SendOutcome } from './types.ts';

/** What `planStep` and `planAndSend` are asked. */
export interface PlanInputOnWire {
  /** Only asks what is due: nothing is reserved, and `waitMs` is 0 where there is no slot. */
  looks?: boolean;
  /** What went wrong before. Workflows that started with an earlier release did not say. */
  carried?: CarriedOnWire;
}

interface CarriedOnWire {
  dispatch: number;
  since: number | null;
  failures: number;
  /** Null where it is in the row. */
  problem: string | null;
}

/** What `planStep` answers. */
export type PlannedStepOnWire =
  | (OnWire<AttemptStep> & {
      /** Until the reserved rate slot; 0 is now, and where none is needed. */
      waitMs: number;
    })
  | { kind: 'end'; end: { outcome: Rest['outcome'] | 'failed'; why: string } };

/** What `planAndSend` answers. `outcome`: of the call, where one was due at once. */
export interface SentOnWire {
  planned: PlannedStepOnWire;
  outcome: SendOutcome | null;
}

/** Carried over where the workflow continues as new. */
export type RetryStateOnWire = OnWire<RetryState>;

type OnWire<T> = T extends { credentialVersion: number }
  ? Omit<T, 'credentialVersion'> & { generation: number }
  : never;

export function writePlannedStep({ credentialVersion, ...step }: AttemptStep, slotInMs: number): PlannedStepOnWire {
  return { ...step, generation: credentialVersion, waitMs: slotInMs };
}

export function readPlannedStep(planned: Exclude<PlannedStepOnWire, { kind: 'end' }>) {
  const { generation, waitMs, ...step } = planned;
  return { step: { ...step, credentialVersion: generation } as AttemptStep, slotInMs: waitMs };
}

export function writeCarried({ dispatch, since, failures, problem }: RetryState): CarriedOnWire {
  return { dispatch, since, failures, problem: problem ?? null };
}

export function writeRetryState({ credentialVersion, ...state }: RetryState): RetryStateOnWire {
  return { ...state, generation: credentialVersion };
}

export function readRetryState({ generation, ...state }: RetryStateOnWire): RetryState {
  return { ...state, credentialVersion: generation };
}
