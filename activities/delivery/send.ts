/**
 * Executes one attempt at a destination: prepares, marks the ledger, sends. Returns facts,
 * including those from the rows (stale mark, duplicate post); `delivery/resolve-attempt` decides
 * what follows.
 */
import { log } from '@temporalio/activity';
import type { PlanInput, PlannedAndSent } from '../../delivery/activity-messages.ts';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import type {
  AttemptStep,
  DeliveryAction,
  DestinationAnswer,
  SendOutcome,
  SentRequest,
  Step,
} from '../../delivery/types.ts';
import { reportFormatFailure } from '../../destinations/format/preflight.ts';
import type {
  Destination,
  DestinationClient,
  Failure,
  Formatted,
  Outcome,
  RejectionCode,
  RemotePost,
} from '../../destinations/types.ts';
import { markAttempt, markRepeat } from '../../store/attempts/mark-attempt.ts';
import type { DeliveryKey } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { withClient } from './client.ts';
import { callClientSafely, catchInternalErrors, INTERNAL_ERROR_OUTCOME } from './internal-errors.ts';
import { findPost } from './look-up.ts';
import { type DeliveryPlan, planDelivery, planWithSlot } from './plan.ts';
import { callInBudget, reserveStepSlot } from './slots.ts';
import { storeAnswer } from './store-answer.ts';

const BUSY = 'Too many large articles are being prepared at once. This one is retried shortly.';

/**
 * Plans and, if the step is due now, sends in the same activity, which saves a workflow task. Runs
 * at most once. Interrupted after the mark, the next plan resolves the open attempt.
 */
export async function planAndSend(deps: ActivityDeps, input: DeliveryKey & PlanInput): Promise<PlannedAndSent> {
  const { articleId, destination } = input;
  const { planned, plan } = await planWithSlot(deps, input);
  if (plan === null || planned.kind === 'end' || planned.slotInMs > 0 || !isAction(planned.step)) {
    return { planned, outcome: null };
  }
  const expected = { articleId, destination, expected: planned.step.kind };
  return { planned, outcome: await catchSendErrors(expected, () => sendPlanned(deps, plan, expected)) };
}

/** `expected`: the planned step. Sends nothing if another step is due. */
export async function send(deps: ActivityDeps, input: DeliveryKey & { expected: string }): Promise<SendOutcome> {
  return catchSendErrors(input, async () => {
    const plan = await planDelivery(deps, input);
    return plan === null ? { kind: 'changed' } : sendPlanned(deps, plan, input);
  });
}

function catchSendErrors(input: object, call: () => Promise<SendOutcome>): Promise<SendOutcome> {
  return catchInternalErrors('an attempt failed before it was sent', input, call, INTERNAL_ERROR_OUTCOME);
}

function sendPlanned(
  deps: ActivityDeps,
  plan: DeliveryPlan,
  input: DeliveryKey & { expected: string },
): Promise<SendOutcome> {
  return callInBudget(deps, plan, () => sendExpected(deps, plan, input));
}

async function sendExpected(
  deps: ActivityDeps,
  plan: DeliveryPlan,
  input: DeliveryKey & { expected: string },
): Promise<SendOutcome> {
  const { step } = plan;
  if (input.expected === 'repeat') {
    return step.kind === 'reconcile' ? repeat(deps, plan, step, input) : { kind: 'changed' };
  }
  if (step.kind !== input.expected || !isAction(step)) return { kind: 'changed' };
  // Blocked since the plan: reserves a slot after the block.
  const forMs = plan.budget.blockedMs > plan.budget.nowMs ? await reserveStepSlot(deps, plan) : 0;
  return forMs > 0 ? { kind: 'blocked', forMs } : attempt(deps, plan, step, input);
}

function attempt(
  deps: ActivityDeps,
  plan: DeliveryPlan,
  step: AttemptStep & { kind: DeliveryAction },
  input: DeliveryKey,
): Promise<SendOutcome> {
  const { kind: action } = step;
  return withClient(deps, plan, async ({ client, adapter, beginSending }): Promise<SendOutcome> => {
    const formatted = await formatForDestination(deps, adapter, plan);
    if (formatted === 'busy') return { kind: 'unavailable', reason: BUSY };
    if (formatted.refusal && action !== 'withdraw') return reject(formatted.refusal.code, formatted.refusal.message);
    const prepared = await prepare(client, action, formatted.payload);
    if (prepared.kind !== 'done') return prepared;
    if (step.kind === 'create' && step.shouldLookUp) {
      const found = await lookUpBeforeCreate(deps, plan, client);
      if (found) return found;
    }
    // A stopping worker starts no new request. Nothing was sent; the plan is repeated.
    if (!beginSending()) return { kind: 'changed' };
    const marked = await mark(deps, plan, { step, action, adapter, payload: prepared.value });
    if (marked === null) return { kind: 'changed' };
    // Interrupted from here on, the row shows an open attempt: a create is looked up, an update or
    // a withdrawal repeated.
    const answer: DestinationAnswer = marked.isStale
      ? { kind: 'unavailable', reason: 'The attempt was interrupted before it was sent.' }
      : await callClientSafely(input, async () =>
          toAnswer(await perform(client, action, plan, prepared.value), adapter),
        );
    const sentAs = adapter.limits.repeat !== null && action === 'create' ? 'first' : null;
    return storeAnswer(deps, plan, marked.sent, { answer, sentAs });
  });
}

/** A formatting bug becomes a refusal, not an endless retry. */
async function formatForDestination(
  { formats }: ActivityDeps,
  adapter: Destination,
  { article, authorId }: DeliveryPlan,
): Promise<Formatted<unknown> | 'busy'> {
  try {
    return await formats.format(adapter, article, authorId);
  } catch (error) {
    log.error('could not format an article', { articleId: article.id, platform: adapter.platform, err: error });
    return { payload: null, losses: [], refusal: reportFormatFailure(adapter.label) };
  }
}

/**
 * Null if the account has no post of this article. Runs directly before the create, because a wait
 * for a rate slot can separate any earlier look-up from it.
 */
async function lookUpBeforeCreate(
  deps: ActivityDeps,
  plan: DeliveryPlan,
  client: DestinationClient<unknown>,
): Promise<SendOutcome | null> {
  const found = await findPost(deps, client, plan);
  // A look-up is read-only, so it is retried if its outcome is unknown.
  if (found.kind === 'unknown') return { kind: 'unavailable', reason: found.reason };
  if (found.kind !== 'done') return found;
  return found.value && { kind: 'found', remote: found.value };
}

/** Null if the plan is outdated. `isStale`: after a long suspension, a look-up may already run. */
async function mark(
  { db }: ActivityDeps,
  { situation, revision, lookUp }: DeliveryPlan,
  {
    step,
    action,
    adapter,
    payload,
  }: { step: AttemptStep; action: DeliveryAction; adapter: Destination; payload: unknown },
): Promise<{ sent: SentRequest; isStale: boolean } | null> {
  // Stored only for platforms where the identical request may be repeated.
  const repeatable = action === 'create' && adapter.limits.repeat !== null ? payload : null;
  const startedAt = performance.now();
  const sent = await markAttempt(db, { step, situation, action, revision, lookUp, payload: repeatable });
  return sent && { sent, isStale: performance.now() - startedAt > TIMEOUTS.staleMarkMs };
}

function toAnswer(outcome: Outcome<RemotePost | null>, { limits }: Destination): DestinationAnswer {
  if (outcome.kind !== 'done') return outcome;
  if (outcome.value !== null) return { kind: 'done', remote: outcome.value };
  return { kind: 'done', remote: null, deleted: limits.withdraw === 'deleted' };
}

/** Repeats the identical request once, at a platform that answers with the first request's post. */
function repeat(deps: ActivityDeps, plan: DeliveryPlan, step: AttemptStep, input: DeliveryKey): Promise<SendOutcome> {
  return withClient(deps, plan, async ({ client, adapter, beginSending }): Promise<SendOutcome> => {
    if (step.attemptId === null || !beginSending()) return { kind: 'changed' };
    const first = await markRepeat(deps.db, step, adapter.limits.repeat?.withinMs ?? 0);
    if (first === null) return { kind: 'changed' };
    const sent = { attemptId: step.attemptId, version: step.version, dispatch: step.dispatch };
    // Interrupted from here on, the repeat is used up: the author must resolve the attempt.
    const answer = await callClientSafely(input, async () => toAnswer(await client.create(first.payload), adapter));
    // Any other answer to the repeat proves nothing about the first request.
    const proven: DestinationAnswer = answer.kind === 'done' ? answer : { kind: 'unknown', reason: answer.reason };
    return storeAnswer(deps, plan, sent, { answer: proven, sentAs: 'repeat' });
  });
}

/** Preparing creates no post, so it is retried if its outcome is unknown. */
async function prepare(
  client: DestinationClient<unknown>,
  action: DeliveryAction,
  payload: unknown,
): Promise<Failure | { kind: 'done'; value: unknown }> {
  if (action === 'withdraw' || !client.prepare) return { kind: 'done', value: payload };
  const prepared = await client.prepare(payload);
  return prepared.kind === 'unknown' ? { kind: 'unavailable', reason: prepared.reason } : prepared;
}

function perform(
  client: DestinationClient<unknown>,
  action: DeliveryAction,
  { situation, unchangedSince, lookUp }: DeliveryPlan,
  payload: unknown,
): Promise<Outcome<RemotePost | null>> {
  if (action === 'create') return client.create(payload);
  const { remoteId } = situation.delivery;
  if (remoteId === null) throw new Error(`a delivery without a copy cannot ${action}`);
  return action === 'update' ? client.update(remoteId, payload, unchangedSince) : client.withdraw(remoteId, lookUp);
}

export function isAction(step: Step): step is AttemptStep & { kind: DeliveryAction } {
  const { kind } = step;
  return kind === 'create' || kind === 'update' || kind === 'withdraw';
}

function reject(code: RejectionCode, reason: string): Extract<Failure, { kind: 'rejected' }> {
  return { kind: 'rejected', code, reason };
}
