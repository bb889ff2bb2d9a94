/** Failures since the last progress of a delivery: their pauses and when to give up. Immutable. */

export interface RetryState {
  /** Another dispatch resets the state. */
  dispatch: number;
  /** The credential that `hasProbed` refers to; another version gets its own probe. */
  connectionVersion: number;
  /** Epoch milliseconds of the first failure. */
  since: number | null;
  failures: number;
  /** The refused credential was probed once. */
  hasProbed: boolean;
  /** The create was retried once after a rejection with `retryOnceAfterMs`. */
  hasRetriedCreate: boolean;
  /** A failure that could not be recorded: the next plan writes it to the row. */
  problem?: string;
}

export const NO_FAILURES: RetryState = {
  dispatch: 0,
  connectionVersion: 0,
  since: null,
  failures: 0,
  hasProbed: false,
  hasRetriedCreate: false,
};

const FIRST_PAUSE_MS = 2_000;
const FACTOR = 3;
const MAX_PAUSE_MS = 15 * 60_000;

/** A delivery without progress for this long fails, and the author is notified. */
export const MAX_RETRY_PERIOD_MS = 24 * 60 * 60_000;

/** Resets the state for a new dispatch, and `hasProbed` for a new credential version. */
export function startStep(retry: RetryState, step: { dispatch: number; connectionVersion: number }): RetryState {
  const { dispatch, connectionVersion } = step;
  const base = retry.dispatch === dispatch ? retry : NO_FAILURES;
  const hasProbed = base.connectionVersion === connectionVersion && base.hasProbed;
  const { problem: _, ...state } = base;
  return { ...state, dispatch, connectionVersion, hasProbed };
}

export function countFailure(retry: RetryState, now: number): RetryState {
  return { ...retry, since: retry.since ?? now, failures: retry.failures + 1 };
}

/** The pause in milliseconds: 2 s after the first failure, then 6 s, 18 s … 15 min. */
export function computePause(failures: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * FACTOR ** (failures - 1));
}

export function isRetryPeriodOver({ since }: Pick<RetryState, 'since'>, now: number): boolean {
  return since !== null && now - since > MAX_RETRY_PERIOD_MS;
}

/** A day of retries has about 100 failures; fewer than this indicate a database outage. */
const MIN_FAILURES = 20;

export function shouldGiveUp({ since, failures }: Pick<RetryState, 'since' | 'failures'>, now: number): boolean {
  return failures >= MIN_FAILURES && isRetryPeriodOver({ since }, now);
}

export function describeGivingUp(lastProblem: string): string {
  return `Gave up after retrying for a day. Last problem: ${lastProblem}`;
}
