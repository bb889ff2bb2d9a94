/** The next step of a delivery, with what the platform cannot do at all sorted out before anything is sent. */
import type { Destination, Limits, Platform } from '../../destinations/types.ts';
import { reserveSlot } from '../../store/connections/rate-slots.ts';
import { recordHeld, recordSkipped, recordWaiting } from '../../store/deliveries/record-failure.ts';
import { recordSettled, recordUnchangeable } from '../../store/deliveries/record-outcome.ts';
import { type DeliveryKey, type DeliveryPlan, planDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';

/** Between the mark in the ledger and the first byte on the wire. */
const SENDING_SLACK_MS = 4_000;

interface StepBase {
  deliveryId: string;
  /** See `AttemptOf`. */
  attempt: number;
  dispatch: number;
  connectionId: string;
  /** Of the connection's credentials. */
  generation: number;
  readLagMs: number;
  canFind: boolean;
  /** What a withdrawal achieves there. */
  withdraw: Limits['withdraw'];
}

export type AttemptStep = StepBase &
  (
    | { kind: 'create' | 'update' | 'withdraw' }
    /** Once `settleInMs` is 0 or less, a look-up that finds nothing is proof. */
    | {
        kind: 'reconcile';
        settleInMs: number;
        /** Where the platform cannot be asked: how long until the same request may be sent once more; null where it may not. */
        repeatInMs: number | null;
      }
    /** `unsettled`: an attempt to create is marked whose end is not known. */
    | { kind: 'refuse'; code: string; reason: string; unsettled: boolean }
  );

export type PlannedStep =
  /** `waitMs`: until the account's turn that was taken for it; 0 is now, and where none was to be taken. */
  (AttemptStep & { waitMs: number }) | { kind: 'end'; end: { outcome: 'delivered' | 'nothing' | 'held'; why: string } };

export function planActivities(deps: ActivityDeps) {
  return {
    /**
     * Reads what is true now, and where something is to be sent takes the account's next turn for it, unless it `hasTurn` already. Writes
     * only what needs no attempt: that all is carried already, or that it waits for the author. A lost answer costs one turn, nothing else.
     */
    async planStep({ hasTurn, ...key }: DeliveryKey & { hasTurn: boolean }): Promise<PlannedStep> {
      const plan = await planDelivery(deps.db, key, deps.baseUrl);
      if (!plan) return end('nothing', 'the article is gone');
      const { step, deliveryId } = plan;
      if (step.kind === 'nothing') {
        if (step.skipped) await recordSkipped(deps.db, deliveryId, deps.now());
        if (!step.settled) return end('nothing', step.why);
        await recordSettled(deps.db, deliveryId, { ...plan, now: deps.now() });
        return end('delivered', step.why);
      }
      if (step.kind === 'hold') {
        await recordHeld(deps.db, deliveryId, { code: step.code, reason: step.reason, now: deps.now() });
        return end('held', step.reason);
      }
      const attempt = attemptOf(plan, deps);
      if (attempt.kind !== 'unchangeable') {
        return { ...attempt, waitMs: hasTurn ? 0 : await takeTurnFor(attempt, plan, deps) };
      }
      const { reason } = attempt;
      await recordUnchangeable(deps.db, deliveryId, { dispatch: plan.dispatch, reason, now: deps.now() });
      return end('nothing', reason);
    },
  };
}

/** Looking takes no turn: the budgets are of writes. */
async function takeTurnFor(
  { kind, connectionId, deliveryId }: AttemptStep,
  { connection }: DeliveryPlan,
  { db, pacing, destinationFor }: ActivityDeps,
): Promise<number> {
  const adapter = connection && destinationFor(connection.platform as Platform);
  if (!pacing || !adapter || kind === 'reconcile' || kind === 'refuse') return 0;
  const waitMs = await reserveSlot(db, connectionId, adapter.limits.pacing);
  if (waitMs > 0) await recordWaiting(db, deliveryId, waitMs);
  return waitMs;
}

function attemptOf(plan: DeliveryPlan, deps: ActivityDeps): AttemptStep | { kind: 'unchangeable'; reason: string } {
  const { step, deliveryId, attempt, dispatch, connection } = plan;
  const adapter = connection && deps.destinationFor(connection.platform as Platform);
  const base: StepBase = {
    deliveryId,
    attempt,
    dispatch,
    connectionId: connection?.id ?? '',
    generation: connection?.generation ?? 0,
    readLagMs: adapter?.limits.readLagMs ?? 0,
    canFind: adapter?.limits.canFind ?? false,
    withdraw: adapter?.limits.withdraw ?? 'none',
  };
  if (!adapter) {
    const reason = `There is no adapter for the platform "${connection?.platform}" here.`;
    return { ...base, kind: 'refuse', code: 'platform_unsupported', reason, unsettled: step.kind === 'reconcile' };
  }
  if (step.kind === 'reconcile') {
    // From the mark on, an attempt of ours can reach the destination for so long, and a look-up may miss it for longer.
    const settleMs = deps.httpTimeoutMs + SENDING_SLACK_MS + adapter.limits.readLagMs;
    const settleInMs = settleMs - step.inFlightForMs;
    return { ...base, kind: 'reconcile', settleInMs, repeatInMs: repeatInMs(plan, step.inFlightForMs, adapter) };
  }
  if (step.kind === 'withdraw') {
    if (adapter.limits.withdraw !== 'none') return { ...base, kind: 'withdraw' };
    const reason = `${adapter.label} cannot take a post back: it stays live at ${plan.remoteUrl}. Remove it there.`;
    return { ...base, kind: 'refuse', code: 'cannot_withdraw', reason, unsettled: false };
  }
  if (step.kind === 'update' && !adapter.limits.canUpdate) {
    return { kind: 'unchangeable', reason: `${adapter.label} cannot change a post: it stays as it was published.` };
  }
  return { ...base, kind: step.kind === 'update' ? 'update' : 'create' };
}

/** Null where a repeat proves nothing: sent once more already, too late, or the platform does not recognise one. */
function repeatInMs(plan: DeliveryPlan, inFlightForMs: number, { limits }: Destination): number | null {
  const { repeat } = limits;
  if (repeat === null || !plan.canRepeat || inFlightForMs >= repeat.withinMs) return null;
  return Math.max(0, repeat.afterMs - inFlightForMs);
}

function end(outcome: 'delivered' | 'nothing' | 'held', why: string): PlannedStep {
  return { kind: 'end', end: { outcome, why } };
}
