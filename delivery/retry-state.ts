/** What has gone wrong since a delivery last made progress, how long to wait after it, and when to give up. Immutable. */

export interface RetryState {
  /** The publish request it is about; another one starts afresh. */
  dispatch: number;
  /** The credentials that were probed; others are probed anew. */
  connectionVersion: number;
  /** Epoch milliseconds of the first failure. */
  since: number | null;
  failures: number;
  /** A refused credential was tried once more. */
  probed: boolean;
  /** The platform's five-minute rule for titles was waited out once. */
  titleWaited: boolean;
  /** What the last attempt ended with, where that could not be recorded: the next plan says it, and gives up in the end. */
  problem?: string;
}

export const NO_FAILURES: RetryState = {
  dispatch: 0,
  connectionVersion: 0,
  since: null,
  failures: 0,
  probed: false,
  titleWaited: false,
};

const FIRST_MS = 2_000;
const FACTOR = 3;
const LONGEST_MS = 15 * 60_000;

/** After so long without progress the delivery is given up, and the author is notified. */
export const PATIENCE_MS = 24 * 60 * 60_000;

/** A new publish starts afresh; a new credential gets a probe of its own. */
export function startStep(retry: RetryState, step: { dispatch: number; connectionVersion: number }): RetryState {
  const { dispatch, connectionVersion } = step;
  const base = retry.dispatch === dispatch ? retry : NO_FAILURES;
  const probed = base.connectionVersion === connectionVersion && base.probed;
  const { problem: _, ...kept } = base;
  return { ...kept, dispatch, connectionVersion, probed };
}

export function countFailure(retry: RetryState, now: number): RetryState {
  return { ...retry, since: retry.since ?? now, failures: retry.failures + 1 };
}

/** Milliseconds to wait after so many failures: 2 s, 6 s, 18 s … 15 min. */
export function computePause(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * FACTOR ** (failures - 1));
}

export function isOutOfPatience({ since }: Pick<RetryState, 'since'>, now: number): boolean {
  return since !== null && now - since > PATIENCE_MS;
}

/** A day with the longest pauses has some hundred failures: a few are a long absence of the database, which is waited for. */
const FEWEST_FAILURES = 20;

export function isBeyondHelp({ since, failures }: Pick<RetryState, 'since' | 'failures'>, now: number): boolean {
  return failures >= FEWEST_FAILURES && isOutOfPatience({ since }, now);
}

/** For the author. */
export function describeGivingUp(lastProblem: string): string {
  return `Given up after a day of trying. The last problem: ${lastProblem}`;
}
