/**
 * Records failures without an outcome: workers lost repeatedly, a failing look-up after a rejection,
 * a failing plan. The next plan shows the problem to the author; after a day the delivery fails.
 */
import type { PlannedStep } from '../../delivery/activity-messages.ts';
import { describeUnknownAttempt } from '../../delivery/describe-unanswered.ts';
import {
  computePause,
  describeGivingUp,
  NO_FAILURES,
  type RetryState,
  shouldGiveUp,
} from '../../delivery/retry-state.ts';
import type { AttemptStep } from '../../delivery/types.ts';
import { recordUnknownOutcome } from '../../store/attempts/record-answer.ts';
import { recordGivenUp, recordProblem } from '../../store/attempts/record-problem.ts';
import type { DeliveryKey, LoadedDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { INTERNAL_ERROR_MESSAGE } from './internal-errors.ts';

/** Returns the step that gives up, or null if the due step should be attempted. */
export async function recordRetriedFailure(
  { db, now }: ActivityDeps,
  { situation: { delivery } }: LoadedDelivery,
  step: AttemptStep,
  retry: RetryState | null,
): Promise<AttemptStep | null> {
  const { inFlight } = delivery;
  // A new dispatch resets the failures.
  if (!retry?.problem || retry.dispatch !== step.dispatch) {
    // An open attempt without an answer: its call was lost, and no failure was counted yet.
    const reason = describeUnknownAttempt(inFlight, step);
    if (inFlight && reason !== null) await recordUnknownOutcome(db, inFlight.id, reason);
    return null;
  }
  // A stored answer needs no call: resolving it can still succeed.
  if (step.kind === 'conclude' && step.answer.kind === 'done') return null;
  const { problem, failures } = retry;
  if (shouldGiveUp(retry, now().getTime())) {
    const isUnsettled = inFlight?.action === 'create';
    return { ...step, kind: 'refuse', code: 'gave_up', reason: describeGivingUp(problem), isUnsettled };
  }
  await recordProblem(db, { deliveryId: delivery.id }, { reason: problem, forMs: computePause(failures + 1) });
  return null;
}

/** Returns a step that counts the failure and plans again, or the end after a day. */
export async function recordPlanFailure(
  { db, now }: ActivityDeps,
  key: DeliveryKey,
  retry: RetryState | null,
): Promise<PlannedStep> {
  const { dispatch, failures, since } = retry ?? NO_FAILURES;
  if (shouldGiveUp({ since, failures }, now().getTime())) {
    const reason = describeGivingUp(INTERNAL_ERROR_MESSAGE);
    await recordGivenUp(db, key, { reason, dispatch: null });
    return { kind: 'end', outcome: 'failed', reason };
  }
  await recordProblem(db, key, { reason: INTERNAL_ERROR_MESSAGE, forMs: computePause(failures + 1) });
  return {
    kind: 'step',
    step: { ...EMPTY_TARGET, dispatch, kind: 'broken', problem: INTERNAL_ERROR_MESSAGE },
    slotInMs: 0,
  };
}

/** A broken step is never recorded, so it needs no ids. */
const EMPTY_TARGET = {
  deliveryId: '',
  version: 0,
  attemptId: null,
  connectionId: null,
  connectionVersion: 0,
  readLagMs: 0,
  canFind: false,
} as const;
