/** The next step of a delivery: what is due is read and decided, and what needs no attempt is written down at once. */
import { log } from '@temporalio/activity';
import { nextStep } from '../../delivery/next-step.ts';
import { nameRest } from '../../delivery/outcome.ts';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import type { Decided, Step } from '../../delivery/types.ts';
import type { PlanInput, PlannedStep } from '../../delivery/wire.ts';
import type { Destination, Platform } from '../../destinations/types.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import { recordRest, recordWaiting } from '../../store/deliveries/record-rest.ts';
import { type DeliveryKey, type LoadedDelivery, loadDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { endureBrokenPlan, recordCarried } from './problem.ts';
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

export async function planStep(deps: ActivityDeps, input: DeliveryKey & PlanInput): Promise<PlannedStep> {
  return (await planWithSlot(deps, input)).planned;
}

interface PlannedWithSlot {
  planned: PlannedStep;
  /** Null where there is nothing to call for: the delivery rests or has ended, or it could not be planned. */
  plan: DeliveryPlan | null;
}

/**
 * Plans, and where something is to be sent reserves a slot in the account's rate budget, unless it is only a look. What cannot be planned at all is tried
 * again, with growing pauses, for a day. Run twice: the same step, with the same slot.
 */
export async function planWithSlot(
  deps: ActivityDeps,
  { carried, ...key }: DeliveryKey & PlanInput,
): Promise<PlannedWithSlot> {
  try {
    for (;;) {
      const planned = await planOnce(deps, key, carried);
      if (planned) return planned;
    }
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.error('a delivery could not be planned', { ...key, err: error });
    return { planned: await endureBrokenPlan(deps, key, carried), plan: null };
  }
}

/** Null where something came between the read and the write: it is planned again. */
async function planOnce(
  deps: ActivityDeps,
  key: DeliveryKey,
  carried: PlanInput['carried'],
): Promise<PlannedWithSlot | null> {
  const plan = await planDelivery(deps, key);
  if (!plan) return { planned: { kind: 'end', outcome: 'skipped', why: 'the article is gone' }, plan: null };
  const { situation, step: due } = plan;
  const { id: deliveryId } = situation.delivery;
  if (due.kind === 'rest') {
    if (!(await recordRest(deps.db, describeDecision(plan), due))) return null;
    return { planned: { kind: 'end', outcome: nameRest(due, situation), why: due.why }, plan: null };
  }
  const last = await recordCarried(deps, plan, due, carried);
  if ('settleInMs' in due && due.settleInMs > 0) await recordWaiting(deps.db, deliveryId, due.settleInMs);
  if (last) return { planned: { kind: 'step', step: last, slotInMs: 0 }, plan };
  const looks = carried === null;
  if (due.kind === 'resolve' && !looks) {
    const step = await blockAfterAnswer(deps, plan, due);
    return { planned: { kind: 'step', step, slotInMs: 0 }, plan };
  }
  return { planned: { kind: 'step', step: due, slotInMs: await waitForSlot(deps, plan, { looks }) }, plan };
}

/** What a decision that was made from the plan is written for. */
export function describeDecision({ situation, revision }: LoadedDelivery): Decided & { revision: number } {
  const { article, connection, delivery } = situation;
  return {
    deliveryId: delivery.id,
    version: delivery.version,
    dispatch: article.dispatch,
    connectionId: connection?.id ?? null,
    connectionVersion: connection?.version ?? 0,
    revision,
  };
}
