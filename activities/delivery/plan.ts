/** The next step of a delivery: what is due is read and decided, and what needs no attempt is written down at once. */
import { log } from '@temporalio/activity';
import { nextStep } from '../../delivery/next-step.ts';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import type { AttemptStep, Rest, Step } from '../../delivery/types.ts';
import { type PlanInputOnWire, type PlannedStepOnWire, writePlannedStep } from '../../delivery/wire.ts';
import type { Destination, Platform } from '../../destinations/types.ts';
import { freeSlot } from '../../store/connections/rate-budget.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import { tellOfUnanswered } from '../../store/deliveries/left-behind.ts';
import { recordHeld, recordLeft, recordSkipped, recordWaiting } from '../../store/deliveries/record-failure.ts';
import { recordUnchangeable, recordUpToDate } from '../../store/deliveries/record-outcome.ts';
import { type DeliveryKey, type LoadedDelivery, loadDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { endureBrokenPlan, sayProblem } from './problem.ts';
import { blockAfterAnswer, waitForSlot } from './slots.ts';

/** A delivery as the rows and the platform's rules say at this moment. */
export interface DeliveryPlan extends LoadedDelivery {
  step: Step;
  /** Null where the destination is not connected, or its platform has no adapter here. */
  adapter: Destination | null;
}

/** Decides what is due now; null where the article is gone. */
export async function planDelivery(deps: ActivityDeps, key: DeliveryKey): Promise<DeliveryPlan | null> {
  const loaded = await loadDelivery(deps.db, key, deps.baseUrl);
  if (!loaded) return null;
  const { connection } = loaded.situation;
  const adapter = connection && deps.findDestination(connection.platform as Platform);
  const step = nextStep(loaded.situation, adapter, {
    ...TIMEOUTS,
    httpMs: deps.httpTimeoutMs,
    lateArrivalMs: deps.lateArrivalMs,
  });
  return { ...loaded, step, adapter };
}

export async function planStep(deps: ActivityDeps, input: DeliveryKey & PlanInputOnWire): Promise<PlannedStepOnWire> {
  return (await planOrEndure(deps, input)).planned;
}

export interface PlannedDelivery {
  planned: PlannedStepOnWire;
  /** Null where there is nothing to call for: the delivery rests or has ended, or it could not be planned. */
  plan: DeliveryPlan | null;
}

/**
 * Plans; what cannot be planned at all is tried again, with growing pauses, for a day. Run twice: the same step, with the same slot.
 */
export async function planOrEndure(
  deps: ActivityDeps,
  { looks = false, carried, ...key }: DeliveryKey & PlanInputOnWire,
): Promise<PlannedDelivery> {
  try {
    return await planWithSlot(deps, key, { looks, carried });
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.error('a delivery could not be planned', { ...key, err: error });
    return { planned: await endureBrokenPlan(deps, key, carried), plan: null };
  }
}

/**
 * Plans, and where something is to be sent reserves its slot, unless it only `looks`. Asked again it returns what is
 * left to wait, so an answer that is lost costs nothing.
 */
async function planWithSlot(
  deps: ActivityDeps,
  key: DeliveryKey,
  { looks, carried }: { looks: boolean; carried: PlanInputOnWire['carried'] },
): Promise<PlannedDelivery> {
  const plan = await planDelivery(deps, key);
  if (!plan) return { planned: { kind: 'end', end: { outcome: 'nothing', why: 'the article is gone' } }, plan: null };
  const { step, situation } = plan;
  const answer = (planned: AttemptStep, slotInMs: number) => ({ planned: writePlannedStep(planned, slotInMs), plan });
  // Only this workflow could have it under way, and it has come to its next plan.
  if (plan.hasLeftAttempt) await tellOfUnanswered(deps.db, situation.delivery.id);
  if (step.kind !== 'rest') {
    const last = await sayProblem(deps, plan, step, carried);
    if (last) return answer(last, 0);
    if ('settleInMs' in step && step.settleInMs > 0)
      await recordWaiting(deps.db, situation.delivery.id, step.settleInMs);
    if (step.kind === 'resolve' && !looks) return answer(await blockAfterAnswer(deps, plan, step), 0);
    return answer(step, await waitForSlot(deps, plan, { looks }));
  }
  if (plan.budget.slotMs !== null) await freeSlot(deps.db, situation.delivery.id);
  await writeRest(deps, plan, step);
  return { planned: { kind: 'end', end: { outcome: step.outcome, why: step.why } }, plan: null };
}

async function writeRest({ db, now }: ActivityDeps, plan: LoadedDelivery, { write, why }: Rest): Promise<void> {
  const { situation, revision } = plan;
  const { id } = situation.delivery;
  const { dispatch } = situation.article;
  switch (write?.kind) {
    case 'upToDate':
      return recordUpToDate(db, id, { revision, dispatch, now: now() });
    case 'skipped':
      return recordSkipped(db, id, now());
    case 'unchangeable':
      return recordUnchangeable(db, id, { dispatch, reason: why, now: now() });
    case 'left':
      return recordLeft(db, id, now());
    case 'held':
      return recordHeld(db, id, { code: write.code, reason: why, now: now() });
  }
}
