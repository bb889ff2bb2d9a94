/** Applies the rate budget of a delivery's account: a slot per call, a block after a 429. */
import { log } from '@temporalio/activity';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import type { AttemptStep, LookUpOutcome, SendOutcome, Step } from '../../delivery/types.ts';
import type { Destination } from '../../destinations/types.ts';
import { recordWaiting } from '../../store/attempts/record-rest.ts';
import { blockAndReserve, freeSlot, reserveSlot, resetRefusals } from '../../store/connections/rate-budget.ts';
import type { LoadedDelivery } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';

type PacedPlan = Pick<LoadedDelivery, 'budget' | 'situation'> & { step: Step; adapter: Destination | null };

/**
 * This worker's running calls by connection. A hanging destination must not occupy all activity
 * slots: above the maximum, a delivery is planned again after the HTTP time-out.
 */
const callsInProgress = new Map<string, number>();
const MAX_CALLS_PER_CONNECTION = 8;

/**
 * Returns the milliseconds until the step may call its destination; 0 if it may now or needs no
 * call. A withdrawal ignores slots and blocks. A look-up ignores slots, because limits apply to
 * writes. `isReadOnly`: reserves nothing.
 */
export async function reserveStepSlot(
  { db, pacing }: ActivityDeps,
  { adapter, budget, step, situation: { connection, delivery } }: PacedPlan,
  { isReadOnly = false } = {},
): Promise<number> {
  if (!adapter || !connection || !waitsForBudget(step)) return 0;
  const isBusy = pacing && (callsInProgress.get(connection.id) ?? 0) >= MAX_CALLS_PER_CONNECTION;
  if (isBusy && !isReadOnly) return TIMEOUTS.httpMs;
  const { nowMs, blockedMs, slotMs } = budget;
  const blockedForMs = Math.max(0, Math.ceil(blockedMs - nowMs));
  if (step.kind === 'reconcile') {
    if (blockedForMs > 0 && !isReadOnly) await recordWaiting(db, delivery.id, blockedForMs);
    return blockedForMs;
  }
  if (isReadOnly) return slotMs === null ? 0 : Math.max(blockedForMs, Math.ceil(slotMs - nowMs), 0);
  const key = { deliveryId: delivery.id, connectionId: connection.id, accountId: connection.accountId };
  return reserveSlot(db, { ...key, pacing: adapter.limits.pacing, isPaced: pacing }, budget);
}

function waitsForBudget(step: Step): boolean {
  if (step.kind === 'reconcile') return step.canFind || step.repeatInMs === 0;
  return step.kind === 'create' || step.kind === 'update';
}

/** Makes one call. A 429 blocks the account at once. A failed call uses up its slot. */
export async function callInBudget<T extends SendOutcome | LookUpOutcome>(
  deps: ActivityDeps,
  plan: PacedPlan,
  call: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const outcome = await countCall(plan.situation.connection?.id ?? '', call);
  if (outcome.kind === 'rateLimited') {
    const elapsed = { answeredMsAgo: 0, calledMsAgo: performance.now() - startedAt };
    return { ...outcome, ...(await blockAccount(deps, plan, outcome, elapsed)) };
  }
  const { connection, delivery } = plan.situation;
  if (outcome.kind === 'unavailable' && plan.budget.slotMs !== null) {
    await writeBudgetSafely(plan, () => freeSlot(deps.db, delivery.id));
  }
  if (connection && plan.budget.refusals > 0 && (outcome.kind === 'done' || outcome.kind === 'found')) {
    await writeBudgetSafely(plan, () => resetRefusals(deps.db, connection.id));
  }
  return outcome;
}

async function countCall<T>(connectionId: string, call: () => Promise<T>): Promise<T> {
  const change = (by: number) => {
    const count = (callsInProgress.get(connectionId) ?? 0) + by;
    if (count > 0) callsInProgress.set(connectionId, count);
    else callsInProgress.delete(connectionId);
  };
  change(1);
  try {
    return await call();
  } finally {
    change(-1);
  }
}

/** Blocks the account for a stored 429 that the workflow never received. Idempotent. */
export async function blockAfterRateLimit(
  deps: ActivityDeps,
  plan: PacedPlan,
  step: Extract<AttemptStep, { kind: 'conclude' }>,
): Promise<AttemptStep> {
  if (step.answer.kind !== 'rateLimited') return step;
  const answeredMsAgo = plan.situation.delivery.inFlight?.answeredMsAgo ?? 0;
  const answer = await blockAccount(deps, plan, step.answer, { answeredMsAgo, calledMsAgo: answeredMsAgo });
  return { ...step, answer: { ...step.answer, ...answer } };
}

/** `isBlocked`: the account is blocked already, so the workflow does not need to block it. */
async function blockAccount(
  { db }: ActivityDeps,
  plan: PacedPlan,
  { retryAfterMs }: { retryAfterMs: number | null },
  elapsed: { answeredMsAgo: number; calledMsAgo: number },
): Promise<{ retryAfterMs: number | null; isBlocked?: true }> {
  const { adapter, situation } = plan;
  const { connection, delivery } = situation;
  if (!adapter || !connection) return { retryAfterMs };
  const forMs = Math.min(retryAfterMs ?? TIMEOUTS.rateLimitMs, TIMEOUTS.maxRetryAfterMs);
  const remainingMs = Math.max(0, forMs - elapsed.answeredMsAgo);
  const key = { deliveryId: delivery.id, connectionId: connection.id, accountId: connection.accountId };
  const refusal = { forMs, ...elapsed, pacing: adapter.limits.pacing };
  const waitMs = await writeBudgetSafely(plan, () => blockAndReserve(db, key, refusal));
  // Null: another account is connected, and the workflow must not block that one.
  return waitMs === undefined
    ? { retryAfterMs: remainingMs }
    : { retryAfterMs: waitMs ?? remainingMs, isBlocked: true };
}

/** Never throws: a failed budget write must not lose a known outcome. */
async function writeBudgetSafely<T>({ situation }: PacedPlan, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    log.warn('could not write the rate budget of an account', { deliveryId: situation.delivery.id, err: error });
    return undefined;
  }
}
