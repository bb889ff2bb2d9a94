/** A delivery's place in its account's line: taken before a call, given to the next in line after it. */
import { log } from '@temporalio/activity';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import type { AttemptStep, LookUpOutcome, SendOutcome } from '../../delivery/types.ts';
import type { Destination, Platform } from '../../destinations/types.ts';
import type { Pacing } from '../../store/connections/account-pace.ts';
import { reserveSlot } from '../../store/connections/rate-slots.ts';
import { blockAndKeepSlot, type Refusal } from '../../store/connections/refused-slot.ts';
import { type CallEnd, releaseSlot } from '../../store/connections/release-slot.ts';
import { recordWaiting } from '../../store/deliveries/record-rest.ts';
import { signalSlot } from '../../temporal/signals.ts';
import type { ActivityDeps } from '../deps.ts';

/** Of a platform that has no adapter here: nothing is ever sent there. */
const NO_PACING: Pacing = { intervalMs: 1_000, burst: 1 };

/** Returns the milliseconds after which the step asks again; 0 where it may call its destination, or needs no call. */
export async function waitInLine(deps: ActivityDeps, step: AttemptStep, adapter: Destination | null): Promise<number> {
  const { deliveryId, connectionId } = step;
  if (!adapter || connectionId === null || !needsCall(step)) {
    // A worker that was lost in its call has left its place taken.
    await leaveLine(deps, deliveryId);
    return 0;
  }
  const isWrite = step.kind !== 'reconcile';
  const { slotInMs, wakeInMs } = await reserveSlot(deps.db, {
    deliveryId,
    connectionId,
    pacing: adapter.limits.pacing,
    // The limits are on writes.
    isPaced: isWrite && deps.pacing,
    isWrite,
    callMs: TIMEOUTS.callMs + TIMEOUTS.heartbeatMs,
  });
  if (wakeInMs > 0) await recordWaiting(deps.db, deliveryId, slotInMs);
  return wakeInMs;
}

/** Runs one call, and passes the place on. A 429 blocks the account at once, and the delivery that met it stays the first in line. */
export async function withPlace<T extends SendOutcome | LookUpOutcome>(
  deps: ActivityDeps,
  { deliveryId, adapter }: { deliveryId: string; adapter: Destination | null },
  call: () => Promise<T>,
): Promise<T> {
  let end: CallEnd = 'over';
  const begun = performance.now();
  try {
    const outcome = await call();
    if (outcome.kind === 'blocked') end = 'waits';
    if (outcome.kind === 'done' || outcome.kind === 'found') end = 'answered';
    if (outcome.kind !== 'rateLimited' || !adapter) return outcome;
    const forMs = Math.min(outcome.retryAfterMs ?? TIMEOUTS.rateLimitMs, TIMEOUTS.longestWaitMs);
    const slotInMs = await keepSlot(deps, deliveryId, {
      forMs,
      answeredForMs: 0,
      calledForMs: performance.now() - begun,
      pacing: adapter.limits.pacing,
    });
    if (slotInMs === null) return outcome;
    end = 'waits';
    return { ...outcome, retryAfterMs: slotInMs, isBlocked: true };
  } finally {
    await passOn(deps, deliveryId, end);
  }
}

/**
 * The call was answered 429, and its activity was lost before its workflow heard of it: the account is blocked for what is left of the pause (again,
 * which changes nothing), and the delivery stays the first in line.
 */
export async function waitBehindAnswer(
  deps: ActivityDeps,
  step: Extract<AttemptStep, { kind: 'resolve' }>,
  { adapter, answeredForMs }: { adapter: Destination | null; answeredForMs: number },
): Promise<AttemptStep> {
  const { answer, deliveryId } = step;
  if (answer.kind !== 'rateLimited' || !adapter) return step;
  const forMs = Math.min(answer.retryAfterMs ?? TIMEOUTS.rateLimitMs, TIMEOUTS.longestWaitMs);
  const slotInMs = await keepSlot(deps, deliveryId, {
    forMs,
    answeredForMs,
    calledForMs: answeredForMs,
    pacing: adapter.limits.pacing,
  });
  // Its place went with its workflow: this one blocks the account itself.
  if (slotInMs === null) return { ...step, answer: { ...answer, retryAfterMs: Math.max(0, forMs - answeredForMs) } };
  await passOn(deps, deliveryId, 'waits');
  return { ...step, answer: { ...answer, retryAfterMs: slotInMs, isBlocked: true } };
}

/** Nothing is to be sent any more. */
export async function leaveLine(deps: ActivityDeps, deliveryId: string): Promise<void> {
  await passOn(deps, deliveryId, 'over');
}

/** A line that cannot be written must not lose an outcome that is known: the workflow blocks the account itself then. */
async function keepSlot({ db }: ActivityDeps, deliveryId: string, refusal: Refusal): Promise<number | null> {
  try {
    return await blockAndKeepSlot(db, deliveryId, refusal);
  } catch (error) {
    log.warn('the block of an account could not be kept', { deliveryId, err: error });
    return null;
  }
}

/** A delivery that is not woken wakes by itself, later; a place that is not given back is free when its call is certainly over. */
async function passOn(deps: ActivityDeps, deliveryId: string, end: CallEnd): Promise<void> {
  const findPacing = (platform: string) => deps.findDestination(platform as Platform)?.limits.pacing ?? NO_PACING;
  try {
    const next = await releaseSlot(deps.db, deliveryId, { end, findPacing });
    for (const { deliveryId: nextId, ...target } of next) {
      // Its workflow was ended from outside: whoever wakes it again takes a new place.
      if (!(await signalSlot(deps.actors, target))) await leaveLine(deps, nextId);
    }
  } catch (error) {
    log.warn('the next delivery in line could not be woken', { deliveryId, err: error });
  }
}

function needsCall(step: AttemptStep): boolean {
  if (step.kind === 'reconcile') return step.canFind || step.repeatInMs === 0;
  return step.kind === 'create' || step.kind === 'update' || step.kind === 'withdraw';
}
