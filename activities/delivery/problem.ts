/**
 * What went wrong where no record could say it: workers that are lost again and again, a look-up behind a refusal that never succeeds, a plan
 * that cannot be made. The author sees it from the next plan on, and after a day there is one outcome.
 */
import { describeUnanswered } from '../../delivery/describe-unanswered.ts';
import { computePause, describeGivingUp, isBeyondHelp } from '../../delivery/retry-state.ts';
import type { AttemptStep } from '../../delivery/types.ts';
import { type PlanInputOnWire, type PlannedStepOnWire, writePlannedStep } from '../../delivery/wire.ts';
import { recordUnanswered } from '../../store/deliveries/end-attempt.ts';
import { recordProblem, recordProblemGivenUp } from '../../store/deliveries/record-problem.ts';
import type { DeliveryKey, LoadedDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { BROKEN } from './broken.ts';

type Carried = PlanInputOnWire['carried'];

/** Answers the step that gives up, or null where what is due is tried. */
export async function sayProblem(
  deps: ActivityDeps,
  loaded: LoadedDelivery,
  step: AttemptStep,
  carried: Carried,
): Promise<AttemptStep | null> {
  const { db, now } = deps;
  const { delivery } = loaded.situation;
  // Another publish starts afresh.
  if (!carried?.problem || carried.dispatch !== step.dispatch) {
    await sayUnanswered(deps, loaded, step);
    return null;
  }
  // An answer that is in the row is no attempt: it is only decided what it means.
  if (step.kind === 'resolve' && step.answer.kind === 'done') return null;
  const { problem, failures } = carried;
  if (isBeyondHelp(carried, now().getTime())) {
    const { deliveryId, dispatch, connectionId, credentialVersion, readLagMs, canFind, withdraw } = step;
    const target = { deliveryId, dispatch, connectionId, credentialVersion, readLagMs, canFind, withdraw };
    const attempt = delivery.inFlight?.number ?? delivery.attempt;
    const unsettled = delivery.inFlight?.action === 'create';
    return { ...target, attempt, kind: 'refuse', code: 'gave_up', reason: describeGivingUp(problem), unsettled };
  }
  const nextAttemptAt = new Date(now().getTime() + computePause(failures + 1));
  await recordProblem(db, { deliveryId: delivery.id }, { reason: problem, now: now(), nextAttemptAt });
  return null;
}

/**
 * Nobody has counted it as a failure yet: the call of an attempt was lost before an answer to it was written down. Only the workflow that plans could
 * have it under way.
 */
async function sayUnanswered(
  { db }: ActivityDeps,
  { situation: { delivery } }: LoadedDelivery,
  step: AttemptStep,
): Promise<void> {
  const reason = describeUnanswered(delivery.inFlight, step);
  if (delivery.inFlight === null || reason === null) return;
  await recordUnanswered(db, { deliveryId: delivery.id, number: delivery.inFlight.number, reason });
}

/** Answers a step that counts the failure and plans again, or after a day the end. */
export async function endureBrokenPlan(
  { db, now }: ActivityDeps,
  { articleId, destination }: DeliveryKey,
  carried: Carried,
): Promise<PlannedStepOnWire> {
  const { dispatch = 0, failures = 0, since = null } = carried ?? {};
  const key = { articleId, destination };
  if (isBeyondHelp({ since, failures }, now().getTime())) {
    const reason = describeGivingUp(BROKEN);
    await recordProblemGivenUp(db, key, { reason, now: now() });
    return { kind: 'end', end: { outcome: 'failed', why: reason } };
  }
  const nextAttemptAt = new Date(now().getTime() + computePause(failures + 1));
  await recordProblem(db, key, { reason: BROKEN, now: now(), nextAttemptAt });
  return writePlannedStep({ ...NOWHERE, dispatch, kind: 'broken', problem: BROKEN }, 0);
}

/** Nothing is recorded for such a step. */
const NOWHERE = {
  deliveryId: '',
  attempt: 0,
  connectionId: null,
  credentialVersion: 0,
  readLagMs: 0,
  canFind: false,
  withdraw: 'none',
} as const;
