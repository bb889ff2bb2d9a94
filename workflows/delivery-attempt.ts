/**
 * One attempt of a delivery, and what its ending means.
 *
 * Unknown outcomes, decided: a create that may have happened is looked up, at once and again when the platform's read
 * lag is surely over, and repeated only when it is not there. An update or a withdrawal is repeated: it names its post.
 */
import { isCancellation, proxyActivities, sleep } from '@temporalio/workflow';
import type { Activities, AttemptStep, SendOutcome } from '../activities/index.ts';
import { backoffMs, PATIENCE_MS } from './backoff.ts';
import { lookUpCreated } from './delivery-look-up.ts';
import type { DeliveryWorkflowInput } from './messages.ts';
import { OUTSIDE_OPTIONS, RECORD_OPTIONS } from './options.ts';
import { nextOutcomeKey } from './outcome-key.ts';

const records = proxyActivities<Activities>(RECORD_OPTIONS);
const outside = proxyActivities<Activities>(OUTSIDE_OPTIONS);

export interface End {
  outcome: 'delivered' | 'withdrawn' | 'nothing' | 'failed' | 'held' | 'unknown';
  why: string;
}

export type Next = { kind: 'end'; end: End } | { kind: 'again'; afterMs: number; why: string };

/** What went wrong since this delivery last made progress. */
export interface Trouble {
  since: number | null;
  failures: number;
  /** A refused credential was probed once and found good. */
  probed: boolean;
  /** The platform's five-minute rule for titles was waited out once. */
  titleWaited: boolean;
}

export function newTrouble(): Trouble {
  return { since: null, failures: 0, probed: false, titleWaited: false };
}

/** A key that was just refused may be one that was just made; platforms take a moment to learn of it. */
const PROBE_AFTER_MS = 10_000;
/** Where a 429 names no time. */
const RATE_LIMIT_MS = 60_000;
const TITLE_RULE_MS = 5 * 60_000 + 5_000;

export async function attemptStep(input: DeliveryWorkflowInput, step: AttemptStep, trouble: Trouble): Promise<Next> {
  if (step.kind === 'refuse') return fail(step, step.code, step.reason);
  if (step.kind === 'reconcile') return reconcile(input, step, trouble);
  const waitMs = await records.takeTurn(step.connectionId);
  // The turn is not taken yet; by the time it comes, something else may be due.
  if (waitMs > 0) return again(waitMs, 'waiting for the account’s turn');
  return judge(input, step, await send(input, step), trouble);
}

async function send(input: DeliveryWorkflowInput, step: AttemptStep): Promise<SendOutcome> {
  try {
    return await outside.sendDelivery({ ...input, expected: step.kind });
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { kind: 'lost', reason: 'The worker was lost in the middle of the attempt.' };
  }
}

function judge(
  input: DeliveryWorkflowInput,
  step: AttemptStep,
  outcome: SendOutcome,
  trouble: Trouble,
): Promise<Next> | Next {
  switch (outcome.kind) {
    case 'changed':
      return again(0, 'something else is due');
    case 'done':
      return succeed(step, trouble, outcome.remote);
    case 'lost':
      // The row knows whether the attempt had begun; the next plan is a look-up then.
      return again(patientMs(trouble), outcome.reason);
    case 'unknown':
      if (step.kind === 'create') return again(0, outcome.reason);
      return retryLater(step, trouble, { code: 'unknown_outcome', reason: outcome.reason, stillInFlight: false });
    case 'unavailable':
      return retryLater(step, trouble, { code: 'unavailable', reason: outcome.reason, stillInFlight: false });
    case 'rateLimited':
      return waitForLimit(step, trouble, outcome);
    case 'unauthorised':
      return probeAgain(input, step, trouble, outcome.reason, false);
    case 'rejected':
      return outcome.maybeSaved && step.kind === 'create'
        ? lookBehindRefusal(input, step, trouble, outcome)
        : fail(step, outcome.code, outcome.reason);
  }
}

/** Some platforms refuse a post and have saved it all the same; others refuse it because it is there already. */
async function lookBehindRefusal(
  input: DeliveryWorkflowInput,
  step: AttemptStep,
  trouble: Trouble,
  refusal: { code: string; reason: string },
): Promise<Next> {
  await sleep(step.readLagMs);
  const look = await lookUpCreated(input);
  if (look.kind === 'done' && look.value !== null) return succeed(step, trouble, look.value);
  if (look.kind === 'changed') return again(0, 'something else is due');
  if (look.kind !== 'done') return again(patientMs(trouble), look.reason);
  if (refusal.code === 'title_recently_used' && !trouble.titleWaited) {
    trouble.titleWaited = true;
    return retryLater(step, trouble, { ...refusal, stillInFlight: false }, TITLE_RULE_MS);
  }
  return fail(step, refusal.code, refusal.reason);
}

async function reconcile(
  input: DeliveryWorkflowInput,
  step: Extract<AttemptStep, { kind: 'reconcile' }>,
  trouble: Trouble,
): Promise<Next> {
  if (!step.canFind) {
    const reason =
      'The destination did not say whether the post was made, and cannot be asked. Look there, then settle it.';
    return fail(step, 'outcome_unknown', reason, 'unknown');
  }
  const lookedAt = Date.now();
  const look = await lookUpCreated(input);
  switch (look.kind) {
    case 'done': {
      if (look.value !== null) return succeed(step, trouble, look.value);
      const settledAt = step.inFlightAt + step.settleMs;
      if (lookedAt < settledAt) {
        // A look that found nothing may itself be cached; the next one comes when both are over.
        return again(Math.max(settledAt - lookedAt, step.readLagMs), 'not there yet; looking once more');
      }
      await records.recordAbsent(step.deliveryId);
      return again(0, 'the attempt had made nothing');
    }
    case 'changed':
      return again(0, 'something else is due');
    case 'unauthorised':
      return probeAgain(input, step, trouble, look.reason, true);
    case 'rejected':
      return fail(step, look.code, `Whether the post was made could not be found out: ${look.reason}`, 'unknown');
    case 'rateLimited':
      return again(look.retryAfterMs ?? RATE_LIMIT_MS, look.reason);
    default:
      return retryLater(step, trouble, { code: 'unknown_outcome', reason: look.reason, stillInFlight: true });
  }
}

async function succeed(
  step: AttemptStep,
  trouble: Trouble,
  remote: { remoteId: string; url: string } | null,
): Promise<Next> {
  Object.assign(trouble, newTrouble());
  if (remote === null) {
    await records.recordWithdrawn(step.deliveryId);
    return { kind: 'end', end: { outcome: 'withdrawn', why: 'withdrawn at the destination' } };
  }
  await records.recordDelivered({ deliveryId: step.deliveryId, outcomeKey: nextOutcomeKey(), remote });
  // Not the end yet: a newer revision may be due, or the article may be a draft by now.
  return again(0, 'delivered');
}

async function fail(
  step: AttemptStep,
  code: string,
  reason: string,
  state: 'failed' | 'unknown' = 'failed',
): Promise<Next> {
  const { deliveryId, dispatch } = step;
  await records.recordFailed({ deliveryId, dispatch, state, code, reason, outcomeKey: nextOutcomeKey() });
  return { kind: 'end', end: { outcome: state, why: reason } };
}

async function retryLater(
  step: AttemptStep,
  trouble: Trouble,
  why: { code: string; reason: string; stillInFlight: boolean },
  afterMs?: number,
): Promise<Next> {
  const waitMs = patientMs(trouble, afterMs);
  if (Date.now() - (trouble.since ?? Date.now()) > PATIENCE_MS) {
    const reason = `Given up after a day of trying. The last trouble: ${why.reason}`;
    return fail(step, 'gave_up', reason, why.stillInFlight ? 'unknown' : 'failed');
  }
  await records.recordRetry({ deliveryId: step.deliveryId, ...why, afterMs: waitMs });
  return again(waitMs, why.reason);
}

async function waitForLimit(
  step: AttemptStep,
  trouble: Trouble,
  outcome: { retryAfterMs: number | null; reason: string },
): Promise<Next> {
  const waitMs = outcome.retryAfterMs ?? RATE_LIMIT_MS;
  await records.blockConnection(step.connectionId, waitMs);
  return retryLater(step, trouble, { code: 'rate_limited', reason: outcome.reason, stillInFlight: false }, waitMs);
}

/** A refused credential is asked about once more after a moment; refused again, all that waits for it is held. */
async function probeAgain(
  input: DeliveryWorkflowInput,
  step: AttemptStep,
  trouble: Trouble,
  reason: string,
  stillInFlight: boolean,
): Promise<Next> {
  const { deliveryId, connectionId, generation } = step;
  if (!trouble.probed) {
    trouble.probed = true;
    await records.recordRetry({ deliveryId, code: 'unauthorised', reason, stillInFlight, afterMs: PROBE_AFTER_MS });
    await sleep(PROBE_AFTER_MS);
    const probe = await probeConnection(input);
    if (probe.kind !== 'unauthorised') return again(patientMs(trouble), 'the credential is being tried again');
  }
  const outcomeKey = nextOutcomeKey();
  const held = await records.recordUnauthorised({
    deliveryId,
    connectionId,
    generation,
    reason,
    stillInFlight,
    outcomeKey,
  });
  // Reconnected meanwhile: the refusal was of the former credential.
  if (!held) return again(0, 'the destination was connected anew');
  return { kind: 'end', end: { outcome: 'held', why: reason } };
}

async function probeConnection(input: DeliveryWorkflowInput): Promise<{ kind: string }> {
  try {
    return await outside.probeConnection(input);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { kind: 'lost' };
  }
}

/** Counts a failure and answers how long to wait after it. */
function patientMs(trouble: Trouble, atLeastMs?: number): number {
  trouble.since ??= Date.now();
  trouble.failures += 1;
  return atLeastMs ?? backoffMs(trouble.failures);
}

function again(afterMs: number, why: string): Next {
  return { kind: 'again', afterMs, why };
}
