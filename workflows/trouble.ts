/** What went wrong since a delivery last made progress; carried over when its actor continues as new. */
import { backoffMs } from './backoff.ts';

export interface Trouble {
  /** Of the publish request it is about; another one starts afresh. */
  dispatch: number;
  /** Of the credentials; another one is probed anew. */
  generation: number;
  /** Epoch milliseconds of the first failure. */
  since: number | null;
  failures: number;
  /** A refused credential was asked about once more. */
  probed: boolean;
  /** The platform's five-minute rule for titles was waited out once. */
  titleWaited: boolean;
  /** A turn was taken whose moment has come. */
  hasTurn: boolean;
}

export function newTrouble(): Trouble {
  return { dispatch: 0, generation: 0, since: null, failures: 0, probed: false, titleWaited: false, hasTurn: false };
}

/** A new publish has a day of its own, and a new credential a probe of its own. */
export function startAfresh(trouble: Trouble, step: { dispatch: number; generation: number }): void {
  if (trouble.dispatch !== step.dispatch) Object.assign(trouble, newTrouble(), { hasTurn: trouble.hasTurn });
  if (trouble.generation !== step.generation) trouble.probed = false;
  trouble.dispatch = step.dispatch;
  trouble.generation = step.generation;
}

/** Counts a failure and answers how long to wait after it. */
export function countFailure(trouble: Trouble): number {
  trouble.since ??= Date.now();
  trouble.failures += 1;
  return backoffMs(trouble.failures);
}
