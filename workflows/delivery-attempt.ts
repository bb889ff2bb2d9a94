/**
 * One attempt of a delivery, and what its ending means.
 *
 * Unknown outcomes, decided: a create that may have happened is looked up, at once and again when the platform's read
 * lag is surely over, and repeated only when it is not there. An update or a withdrawal is repeated: it names its post.
 */
import { isCancellation, proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { Activities, AttemptStep, RemotePost, SendOutcome } from '../activities/index.ts';
import { backoffMs, PATIENCE_MS } from './backoff.ts';
import { lookUpCreated } from './delivery-look-up.ts';
import { probeAgain } from './delivery-probe.ts';
import type { DeliveryWorkflowInput } from './messages.ts';
import { LOCAL_RECORD_OPTIONS, OUTSIDE_OPTIONS } from './options.ts';
import { nextOutcomeKey } from './outcome-key.ts';
import { countFailure, newTrouble, startAfresh, type Trouble } from './trouble.ts';

const records = proxyLocalActivities<Activities>(LOCAL_RECORD_OPTIONS);
const outside = proxyActivities<Activities>(OUTSIDE_OPTIONS);

export interface End {
  outcome: 'delivered' | 'withdrawn' | 'nothing' | 'failed' | 'held' | 'unknown';
  why: string;
}

/** `turn`: a moment that was given to this delivery; asking to hurry does not bring it nearer. */
export type Next = { kind: 'end'; end: End } | { kind: 'again'; afterMs: number; why: string; turn?: boolean };

/** Where a 429 names no time. */
const RATE_LIMIT_MS = 60_000;
const TITLE_RULE_MS = 5 * 60_000 + 5_000;

export async function attemptStep(
  input: DeliveryWorkflowInput,
  step: AttemptStep & { waitMs: number },
  trouble: Trouble,
): Promise<Next> {
  startAfresh(trouble, step);
  if (step.kind === 'refuse') return fail(step, step.code, step.reason, step.unsettled ? 'unknown' : 'failed');
  if (step.kind === 'reconcile') return reconcile(input, step, trouble);
  // By the time the turn comes, something else may be due: the plan is made anew then.
  trouble.hasTurn = step.waitMs > 0;
  if (trouble.hasTurn) return { ...again(step.waitMs, 'waiting for the account’s turn'), turn: true };
  const outcome = await send(input, step.kind);
  const sent = 'attempt' in outcome ? { ...step, attempt: outcome.attempt, dispatch: outcome.dispatch } : step;
  return judge(input, sent, outcome, trouble);
}

async function send(input: DeliveryWorkflowInput, expected: AttemptStep['kind'] | 'repeat'): Promise<SendOutcome> {
  try {
    return await outside.sendDelivery({ ...input, expected });
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
    case 'blocked':
      return { ...again(outcome.forMs, 'the account’s rate limit is used up'), turn: true };
    case 'done':
      return outcome.remote === null ? withdrawn(step) : delivered(step, trouble, outcome.remote);
    case 'lost':
      // The row knows whether the attempt had begun; the next plan is a look-up then.
      return again(countFailure(trouble), outcome.reason);
    case 'unknown':
      if (step.kind !== 'create') return retryLater(step, trouble, { code: 'unknown_outcome', reason: outcome.reason });
      countFailure(trouble);
      return again(0, outcome.reason);
    case 'unavailable':
      return retryLater(step, trouble, { code: 'unavailable', reason: outcome.reason });
    case 'rateLimited':
      return waitForLimit(step, trouble, outcome);
    case 'unauthorised':
      return probeAgain(input, step, trouble, { reason: outcome.reason, stillInFlight: false });
    case 'drifted':
      return fail(step, 'drifted', outcome.reason);
    case 'rejected':
      // Gone is what a withdrawal wants.
      if (step.kind === 'withdraw' && outcome.code === 'remote_gone') return withdrawn(step);
      return outcome.maybeSaved && step.kind === 'create' && step.canFind
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
  if (look.kind === 'done' && look.value !== null) return adopt(step, look.value);
  if (look.kind === 'changed') return again(0, 'something else is due');
  if (look.kind !== 'done') return again(countFailure(trouble), look.reason);
  if (refusal.code === 'title_recently_used' && !trouble.titleWaited) {
    trouble.titleWaited = true;
    return retryLater(step, trouble, { ...refusal, atLeastMs: TITLE_RULE_MS });
  }
  return fail(step, refusal.code, refusal.reason);
}

async function reconcile(
  input: DeliveryWorkflowInput,
  step: Extract<AttemptStep, { kind: 'reconcile' }>,
  trouble: Trouble,
): Promise<Next> {
  if (!step.canFind) return settleByRepeat(input, step, trouble);
  const look = await lookUpCreated(input);
  switch (look.kind) {
    case 'done': {
      if (look.value !== null) return adopt(step, look.value);
      // A look that found nothing may itself be cached; the next one comes when both are over.
      if (step.settleInMs > 0)
        return again(Math.max(step.settleInMs, step.readLagMs), 'not there yet; looking once more');
      if (isOutOfPatience(trouble)) return giveUp(step, 'No attempt was ever answered.', 'failed');
      await records.recordAbsent(step);
      return again(trouble.failures > 1 ? backoffMs(trouble.failures - 1) : 0, 'the attempt had made nothing');
    }
    case 'changed':
      return again(0, 'something else is due');
    case 'unauthorised':
      return probeAgain(input, step, trouble, { reason: look.reason, stillInFlight: true });
    case 'rejected':
      return fail(step, look.code, `Whether the post was made could not be found out: ${look.reason}`, 'unknown');
    case 'rateLimited':
      return waitForLimit(step, trouble, look, true);
    default:
      return retryLater(step, trouble, { code: 'unknown_outcome', reason: look.reason, stillInFlight: true });
  }
}

/**
 * A platform that cannot be asked, but answers an identical request with the post that the first one made: sent once more,
 * never twice. Whatever else comes of it, only the author can tell.
 */
async function settleByRepeat(
  input: DeliveryWorkflowInput,
  step: Extract<AttemptStep, { kind: 'reconcile' }>,
  trouble: Trouble,
): Promise<Next> {
  if (step.repeatInMs === null) return fail(step, 'outcome_unknown', CANNOT_BE_ASKED, 'unknown');
  if (step.repeatInMs > 0)
    return again(step.repeatInMs, 'the same request is sent once more, to see what became of the first');
  const outcome = await send(input, 'repeat');
  // The row knows what was repeated: the next plan finds it used up.
  if (outcome.kind === 'changed' || outcome.kind === 'lost') return again(0, 'looking what became of the repeat');
  if (outcome.kind === 'done' && outcome.remote) return delivered(step, trouble, outcome.remote);
  if (outcome.kind === 'rejected' && DUPLICATE.test(outcome.code)) return fail(step, outcome.code, outcome.reason);
  return fail(step, 'outcome_unknown', CANNOT_BE_ASKED, 'unknown');
}

/** Taken for a duplicate of a post that is not this one's: then the first request made nothing either. */
const DUPLICATE = /^duplicate_of_/;

const CANNOT_BE_ASKED =
  'The destination did not say whether the post was made, and cannot be asked. Look there, and say what you found (settleDelivery); nothing more is sent by itself.';

async function delivered(step: AttemptStep, trouble: Trouble, remote: RemotePost): Promise<Next> {
  Object.assign(trouble, newTrouble());
  const { upToDate } = await records.recordDelivered({ ...rowOf(step), outcomeKey: nextOutcomeKey(), remote });
  if (upToDate) return { kind: 'end', end: { outcome: 'delivered', why: 'carried by the destination' } };
  // A newer revision may be due, or the article may be a draft by now.
  return again(0, 'delivered');
}

/** What the post says is not known: the next plan updates it, and that is the outcome its author hears of. */
async function adopt(step: AttemptStep, remote: RemotePost): Promise<Next> {
  await records.recordAdopted({ ...rowOf(step), remote });
  return again(0, 'found and adopted');
}

async function withdrawn(step: AttemptStep): Promise<Next> {
  const { dispatch } = step;
  await records.recordWithdrawn({ ...rowOf(step), dispatch, deleted: step.withdraw === 'deleted' });
  return { kind: 'end', end: { outcome: 'withdrawn', why: 'withdrawn at the destination' } };
}

async function fail(
  step: AttemptStep,
  code: string,
  reason: string,
  state: 'failed' | 'unknown' = 'failed',
): Promise<Next> {
  const { deliveryId, attempt, dispatch } = step;
  // One attempt whose end stays unknown is one outcome, however often it is asked about.
  const outcomeKey = state === 'unknown' ? `unknown:${deliveryId}:${attempt}` : nextOutcomeKey();
  await records.recordFailed({ deliveryId, attempt, dispatch, state, code, reason, outcomeKey });
  return { kind: 'end', end: { outcome: state, why: reason } };
}

interface Retry {
  code: string;
  reason: string;
  stillInFlight?: boolean;
  atLeastMs?: number;
}

async function retryLater(step: AttemptStep, trouble: Trouble, retry: Retry): Promise<Next> {
  const { code, reason, stillInFlight = false, atLeastMs = 0 } = retry;
  const afterMs = Math.max(atLeastMs, countFailure(trouble));
  if (isOutOfPatience(trouble)) return giveUp(step, reason, stillInFlight ? 'unknown' : 'failed');
  await records.recordRetry({ ...rowOf(step), code, reason, stillInFlight, afterMs });
  return again(afterMs, reason);
}

async function waitForLimit(
  step: AttemptStep,
  trouble: Trouble,
  outcome: { retryAfterMs: number | null; reason: string },
  stillInFlight = false,
): Promise<Next> {
  const atLeastMs = outcome.retryAfterMs ?? RATE_LIMIT_MS;
  await records.blockConnection(step.connectionId, atLeastMs);
  return retryLater(step, trouble, { code: 'rate_limited', reason: outcome.reason, stillInFlight, atLeastMs });
}

function isOutOfPatience(trouble: Trouble): boolean {
  return trouble.since !== null && Date.now() - trouble.since > PATIENCE_MS;
}

function giveUp(step: AttemptStep, lastTrouble: string, state: 'failed' | 'unknown'): Promise<Next> {
  return fail(step, 'gave_up', `Given up after a day of trying. The last trouble: ${lastTrouble}`, state);
}

function rowOf({ deliveryId, attempt }: AttemptStep): { deliveryId: string; attempt: number } {
  return { deliveryId, attempt };
}

function again(afterMs: number, why: string): Extract<Next, { kind: 'again' }> {
  return { kind: 'again', afterMs, why };
}
