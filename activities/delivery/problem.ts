/**
 * What went wrong where no record could say it: workers that are lost again and again, a look-up behind a refusal that never succeeds, a plan
 * that cannot be made. The author sees it from the next plan on, and after a day there is one outcome.
 */
import { describeUnanswered } from '../../delivery/describe-unanswered.ts';
import {
  computePause,
  describeGivingUp,
  isBeyondHelp,
  NO_FAILURES,
  type RetryState,
} from '../../delivery/retry-state.ts';
import type { AttemptStep } from '../../delivery/types.ts';
import type { PlannedStep } from '../../delivery/wire.ts';
import { recordUnanswered } from '../../store/deliveries/record-answer.ts';
import { recordProblem, recordProblemGivenUp } from '../../store/deliveries/record-problem.ts';
import type { DeliveryKey, LoadedDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { BROKEN } from './broken.ts';

/** Answers the step that gives up, or null where what is due is tried. */
export async function recordCarried(
  { db, now }: ActivityDeps,
  { situation: { delivery } }: LoadedDelivery,
  step: AttemptStep,
  carried: RetryState | null,
): Promise<AttemptStep | null> {
  const { inFlight } = delivery;
  // Another publish starts afresh.
  if (!carried?.problem || carried.dispatch !== step.dispatch) {
    // Nobody has counted it as a failure yet: the call of an attempt was lost before an answer to it was written down.
    const reason = describeUnanswered(inFlight, step);
    if (inFlight && reason !== null) await recordUnanswered(db, inFlight.id, reason);
    return null;
  }
  // An answer that is in the row is no attempt: it is only decided what it means.
  if (step.kind === 'resolve' && step.answer.kind === 'done') return null;
  const { problem, failures } = carried;
  if (isBeyondHelp(carried, now().getTime())) {
    const unsettled = inFlight?.action === 'create';
    return { ...step, kind: 'refuse', code: 'gave_up', reason: describeGivingUp(problem), unsettled };
  }
  await recordProblem(db, { deliveryId: delivery.id }, { reason: problem, forMs: computePause(failures + 1) });
  return null;
}

/** Answers a step that counts the failure and plans again, or after a day the end. */
export async function endureBrokenPlan(
  { db, now }: ActivityDeps,
  key: DeliveryKey,
  carried: RetryState | null,
): Promise<PlannedStep> {
  const { dispatch, failures, since } = carried ?? NO_FAILURES;
  if (isBeyondHelp({ since, failures }, now().getTime())) {
    const why = describeGivingUp(BROKEN);
    await recordProblemGivenUp(db, key, { reason: why, dispatch: null });
    return { kind: 'end', outcome: 'failed', why };
  }
  await recordProblem(db, key, { reason: BROKEN, forMs: computePause(failures + 1) });
  return { kind: 'step', step: { ...NOWHERE, dispatch, kind: 'broken', problem: BROKEN }, slotInMs: 0 };
}

/** Nothing is recorded for such a step. */
const NOWHERE = {
  deliveryId: '',
  version: 0,
  attemptId: null,
  connectionId: null,
  connectionVersion: 0,
  readLagMs: 0,
  canFind: false,
} as const;
