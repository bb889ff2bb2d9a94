/** Plans the next step of a delivery, and records the outcome directly if no attempt is needed. */
import { log } from '@temporalio/activity';
import type { PlanInput, PlannedStep } from '../../delivery/activity-messages.ts';
import { nextStep } from '../../delivery/next-step.ts';
import { nameRest } from '../../delivery/outcome.ts';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import type { PlanVersions, Step } from '../../delivery/types.ts';
import type { Destination, Platform } from '../../destinations/types.ts';
import { recordRest, recordWaiting } from '../../store/attempts/record-rest.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import { type DeliveryKey, type LoadedDelivery, loadDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { recordPlanFailure, recordRetriedFailure } from './problem.ts';
import { blockAfterRateLimit, reserveStepSlot } from './slots.ts';

export interface DeliveryPlan extends LoadedDelivery {
  step: Step;
  /** Null if the destination is not connected or its platform has no adapter. */
  adapter: Destination | null;
}

/** Null if the article was deleted. */
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
  /** Null if no call follows: the delivery rests, has ended, or could not be planned. */
  plan: DeliveryPlan | null;
}

/**
 * Plans, and reserves a slot in the account's rate budget for a write, unless the plan is read-only
 * (`retry: null`). A plan that fails is retried for a day with growing pauses. Idempotent.
 */
export async function planWithSlot(
  deps: ActivityDeps,
  { retry, ...key }: DeliveryKey & PlanInput,
): Promise<PlannedWithSlot> {
  try {
    for (;;) {
      const planned = await planOnce(deps, key, retry);
      if (planned) return planned;
    }
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.error('could not plan a delivery', { ...key, err: error });
    return { planned: await recordPlanFailure(deps, key, retry), plan: null };
  }
}

/** Null if the row changed between read and write: the caller plans again. */
async function planOnce(
  deps: ActivityDeps,
  key: DeliveryKey,
  retry: PlanInput['retry'],
): Promise<PlannedWithSlot | null> {
  const plan = await planDelivery(deps, key);
  if (!plan) return { planned: { kind: 'end', outcome: 'skipped', reason: 'the article was deleted' }, plan: null };
  const { situation, step: due } = plan;
  const { id: deliveryId } = situation.delivery;
  if (due.kind === 'rest') {
    if (!(await recordRest(deps.db, describeDecision(plan), due))) return null;
    return { planned: { kind: 'end', outcome: nameRest(due, situation), reason: due.reason }, plan: null };
  }
  const finalStep = await recordRetriedFailure(deps, plan, due, retry);
  if ('settleInMs' in due && due.settleInMs > 0) await recordWaiting(deps.db, deliveryId, due.settleInMs);
  if (finalStep) return { planned: { kind: 'step', step: finalStep, slotInMs: 0 }, plan };
  const isReadOnly = retry === null;
  if (due.kind === 'conclude' && !isReadOnly) {
    const step = await blockAfterRateLimit(deps, plan, due);
    return { planned: { kind: 'step', step, slotInMs: 0 }, plan };
  }
  return { planned: { kind: 'step', step: due, slotInMs: await reserveStepSlot(deps, plan, { isReadOnly }) }, plan };
}

/** The versions on which a decision from this plan is conditional. */
export function describeDecision({ situation, revision }: LoadedDelivery): PlanVersions & { revision: number } {
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
