/** Builds the effects that continue or end an attempt: record, delay and next step. Pure. */
import type { Failure, RemotePost } from '../destinations/types.ts';
import {
  computePause,
  countFailure,
  describeGivingUp,
  isRetryPeriodOver,
  NO_FAILURES,
  type RetryState,
} from './retry-state.ts';
import { TIMEOUTS } from './timeouts.ts';
import type { Attempt, Effect, End, Phase, RecordedOutcome, Refusal, Retry } from './types.ts';

export interface Resolution {
  attempt: Attempt;
  effect: Effect;
}

export function finishDelivered(attempt: Attempt, remote: RemotePost): Resolution {
  return enterPhase(attempt, { kind: 'recordDelivered' }, { kind: 'record', record: { kind: 'delivered', remote } });
}

/** For a delivery that is already recorded. `isCurrent` as in the `recorded` event. */
export function concludeDelivered(attempt: Attempt, isCurrent: boolean): Resolution {
  const done = { ...attempt, retry: NO_FAILURES };
  // Not current: a newer revision is due, or the article is a draft again.
  return {
    attempt: done,
    effect: isCurrent ? buildEnd('delivered', 'delivered to the destination') : replan(0, 'delivered'),
  };
}

/** The content of a found post is unknown: the next plan updates it and the author is notified. */
export function adoptPost(attempt: Attempt, remote: RemotePost): Resolution {
  return recordThen(attempt, { kind: 'adopted', remote }, replan(0, 'found and adopted'));
}

/** After a look-up proved that the create made no post. */
export function createAgain(attempt: Attempt, afterMs: number): Resolution {
  return recordThen(attempt, { kind: 'absent' }, replan(afterMs, 'the attempt created no post'));
}

export function finishWithdrawn(attempt: Attempt, { deleted }: { deleted: boolean }): Resolution {
  const { step } = attempt;
  const mayReturn = !deleted && step.kind === 'withdraw' && step.lateUpdateInMs > 0;
  const then = mayReturn ? replan(0, 'withdrawn, but an earlier update may still arrive') : WITHDRAWN;
  return recordThen(attempt, { kind: 'withdrawn', deleted, mayReturn }, then);
}

const WITHDRAWN = buildEnd('withdrawn', 'withdrawn at the destination');

export function finishFailed(
  attempt: Attempt,
  { code, reason }: Refusal,
  state: 'failed' | 'unknown' = 'failed',
): Resolution {
  return recordThen(attempt, { kind: 'failed', state, code, reason }, buildEnd(state, reason));
}

export function giveUp(attempt: Attempt, lastProblem: string, state: 'failed' | 'unknown'): Resolution {
  return finishFailed(attempt, { code: 'gave_up', reason: describeGivingUp(lastProblem) }, state);
}

export function retryLater(attempt: Attempt, problem: Retry, now: number): Resolution {
  const { code, reason, isUnsettled = false, atLeastMs = 0 } = problem;
  const retry = countFailure(attempt.retry, now);
  const counted = { ...attempt, retry };
  if (isRetryPeriodOver(retry, now)) return giveUp(counted, reason, isUnsettled ? 'unknown' : 'failed');
  const afterMs = computeWait(retry, atLeastMs);
  return recordThen(counted, { kind: 'retry', code, reason, isUnsettled, afterMs }, replan(afterMs, reason));
}

/** Honours the destination's `Retry-After` up to `maxRetryAfterMs`. */
function computeWait(retry: RetryState, atLeastMs: number): number {
  return Math.min(Math.max(atLeastMs, computePause(retry.failures)), TIMEOUTS.maxRetryAfterMs);
}

/** Nothing changed at the destination. Retries, or fails after `maxAttempts` attempts. */
export function retryUnavailable(
  attempt: Attempt,
  { retryAfterMs, maxAttempts = Number.POSITIVE_INFINITY, reason }: Unavailable,
  problem: Pick<Retry, 'code' | 'isUnsettled'>,
  now: number,
): Resolution {
  if (attempt.retry.failures + 1 >= maxAttempts) {
    const counted = { ...attempt, retry: countFailure(attempt.retry, now) };
    return finishFailed(counted, { code: 'blocked', reason }, problem.isUnsettled ? 'unknown' : 'failed');
  }
  return retryLater(attempt, { ...problem, reason, atLeastMs: retryAfterMs ?? 0 }, now);
}

type Unavailable = Extract<Failure, { kind: 'unavailable' }>;

type RateLimited = { retryAfterMs: number | null; isBlocked?: boolean } & Pick<Retry, 'reason' | 'isUnsettled'>;

/** A 429 applies to the whole account. `isBlocked`: the call has already blocked the account. */
export function blockAccount(
  attempt: Attempt,
  { retryAfterMs, reason, isBlocked = false, isUnsettled = false }: RateLimited,
  now: number,
): Resolution {
  const forMs = retryAfterMs ?? TIMEOUTS.rateLimitMs;
  const retry: Retry = { code: 'rate_limited', reason, isUnsettled, atLeastMs: forMs };
  if (isBlocked) return retryAfterBlock(attempt, retry, now);
  return enterPhase(attempt, { kind: 'block', retry }, { kind: 'block', forMs });
}

/**
 * The delivery's reserved slot follows the block. A block can last a day, as long as the whole
 * retry period, so the delivery gives up only after more than `MIN_TRIES` failures.
 */
function retryAfterBlock(attempt: Attempt, problem: Retry, now: number): Resolution {
  const { code, reason, isUnsettled = false, atLeastMs: afterMs = 0 } = problem;
  const retry = countFailure(attempt.retry, now);
  const counted = { ...attempt, retry };
  if (isRetryPeriodOver(retry, now) && retry.failures > MIN_TRIES) {
    return giveUp(counted, reason, isUnsettled ? 'unknown' : 'failed');
  }
  return recordThen(counted, { kind: 'retry', code, reason, isUnsettled, afterMs }, replan(afterMs, reason));
}

const MIN_TRIES = 2;

/**
 * Records nothing here: the next plan reads the row to find the due step. The plan also receives
 * the problem, writes it to the row, and gives up after a day.
 */
export function replanAfterFailure(attempt: Attempt, reason: string, now: number, atLeastMs = 0): Resolution {
  const retry = { ...countFailure(attempt.retry, now), problem: reason };
  return { attempt: { ...attempt, retry }, effect: replan(computeWait(retry, atLeastMs), reason) };
}

function recordThen(attempt: Attempt, record: RecordedOutcome, then: Effect): Resolution {
  return enterPhase(attempt, { kind: 'record', then }, { kind: 'record', record });
}

export function enterPhase(attempt: Attempt, phase: Phase, effect: Effect): Resolution {
  return { attempt: { ...attempt, phase }, effect };
}

export function replan(afterMs: number, reason: string): Effect {
  return { kind: 'replan', afterMs, reason, forSlot: false };
}

export function replanAtSlot(afterMs: number, reason: string): Effect {
  return { kind: 'replan', afterMs, reason, forSlot: true };
}

export function buildEnd(outcome: End['outcome'], reason: string): End {
  return { kind: 'end', outcome, reason };
}
