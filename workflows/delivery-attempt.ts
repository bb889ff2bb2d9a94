/**
 * Executes the effects from `delivery/resolve-attempt` until the effect is `replan` or `end`.
 * Converts an activity lost with its worker into an event.
 */
import { isCancellation, proxyLocalActivities, sleep, uuid4 } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { PlanInput, PlannedAndSent } from '../delivery/activity-messages.ts';
import { nameEffect } from '../delivery/outcome.ts';
import { beginAttempt, resolveAttempt } from '../delivery/resolve-attempt.ts';
import type { RetryState } from '../delivery/retry-state.ts';
import type { AttemptStep, Effect, Event, LookUpOutcome, RecordedOutcome, SendOutcome } from '../delivery/types.ts';
import type { DeliveryWorkflowInput } from './messages.ts';
import { DESTINATION_OPTIONS, LOCAL_RECORD_OPTIONS, PLAN_AND_SEND_OPTIONS, proxyActivitiesOn } from './options.ts';
import { showOutcome } from './status.ts';

const records = proxyLocalActivities<Activities>(LOCAL_RECORD_OPTIONS);
const proxyCalls = () => proxyActivitiesOn('deliveries', DESTINATION_OPTIONS);

/** The effects that end the loop below. */
export type Conclusion = Extract<Effect, { kind: 'replan' | 'end' }>;

type Executed = Exclude<Effect, Conclusion>;

interface Planned {
  step: AttemptStep;
  slotInMs: number;
  /** Of a call made together with the plan; null without such a call. */
  outcome: SendOutcome | null;
}

export async function runAttempt(
  input: DeliveryWorkflowInput,
  { step, slotInMs, outcome }: Planned,
  retry: RetryState,
): Promise<{ retry: RetryState; conclusion: Conclusion }> {
  let attempt = beginAttempt(step, retry);
  let event: Event = { kind: 'planned', slotInMs };
  let sent = outcome;
  for (;;) {
    const resolved = resolveAttempt(attempt, event, Date.now());
    attempt = resolved.attempt;
    const { effect } = resolved;
    showOutcome(nameEffect(effect));
    if (effect.kind === 'replan' || effect.kind === 'end') return { retry: attempt.retry, conclusion: effect };
    if (effect.kind === 'send' && sent !== null) {
      event = { kind: 'sent', outcome: sent };
      sent = null;
    } else {
      event = await execute(effect, input, attempt.step);
    }
  }
}

/** Null if the worker was lost or none was free in time; the next plan reads the rows. */
export function planAndSend(input: DeliveryWorkflowInput & PlanInput): Promise<PlannedAndSent | null> {
  const { planAndSend: call } = proxyActivitiesOn('deliveries', PLAN_AND_SEND_OPTIONS);
  return replaceLostResult<PlannedAndSent | null>(call(input), null);
}

async function execute(effect: Executed, input: DeliveryWorkflowInput, step: AttemptStep): Promise<Event> {
  switch (effect.kind) {
    case 'send':
      return { kind: 'sent', outcome: await send(input, effect.action) };
    case 'repeat':
      return { kind: 'sent', outcome: await send(input, 'repeat') };
    case 'lookUp':
      return { kind: 'lookedUp', outcome: await lookUp(input, step) };
    case 'probe':
      return { kind: 'probed', isRefused: await isRefused(input) };
    case 'record':
      return { kind: 'recorded', isCurrent: await record(effect.record, step) };
    case 'block':
      if (step.connectionId !== null) await records.blockConnection(step.connectionId, effect.forMs);
      return { kind: 'blocked' };
    case 'pause':
      await sleep(effect.forMs);
      return { kind: 'paused' };
  }
}

function send(input: DeliveryWorkflowInput, expected: string): Promise<SendOutcome> {
  const lost = { kind: 'lost', reason: 'The worker stopped during the attempt.' } as const;
  return replaceLostResult(proxyCalls().sendDelivery({ ...input, expected }), lost);
}

function lookUp(input: DeliveryWorkflowInput, { attemptId }: AttemptStep): Promise<LookUpOutcome> {
  const unknown = { kind: 'unknown', reason: 'The worker stopped while it checked for the post.' } as const;
  return replaceLostResult(proxyCalls().lookUpDelivery({ ...input, attemptId }), unknown);
}

/** Only a refusal proves that the credential is invalid. */
async function isRefused(input: DeliveryWorkflowInput): Promise<boolean> {
  const outcome = await replaceLostResult(proxyCalls().probeConnection(input), { kind: 'lost' });
  return outcome.kind === 'unauthorised';
}

async function replaceLostResult<T>(activity: Promise<T>, lost: T): Promise<T> {
  try {
    return await activity;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return lost;
  }
}

/** Returns `isCurrent`. Generates the id of a step refused before sending; retries reuse it. */
function record(outcome: RecordedOutcome, step: AttemptStep): Promise<boolean> {
  const { deliveryId, version, dispatch, connectionId, connectionVersion } = step;
  const attemptId = step.attemptId ?? uuid4();
  return records.recordOutcome({ deliveryId, version, dispatch, connectionId, connectionVersion, attemptId, outcome });
}
