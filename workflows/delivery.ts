/**
 * The workflow of one article at one destination. `planAndSend` and `planStep` decide the due step,
 * `delivery/resolve-attempt` decides what follows; this loop waits and executes. Each plan reads
 * only the newest revision.
 */
import { ApplicationFailureCategory } from '@temporalio/common';
import {
  ApplicationFailure,
  condition,
  continueAsNew,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { PlannedAndSent } from '../delivery/activity-messages.ts';
import type { DeliveryOutcome } from '../delivery/outcome.ts';
import { NO_FAILURES, type RetryState } from '../delivery/retry-state.ts';
import { FAILURE_TYPES } from '../temporal/names.ts';
import { type Conclusion, planAndSend, runAttempt } from './delivery-attempt.ts';
import { commandSignal, type DeliveryWorkflowInput, deliverSignal, withdrawSignal } from './messages.ts';
import { LOCAL_RECORD_OPTIONS } from './options.ts';
import { showOutcome, showStatus } from './status.ts';

const { planStep } = proxyLocalActivities<Activities>(LOCAL_RECORD_OPTIONS);

/** The result of one run, until a signal starts the next. */
interface RunResult {
  outcome: DeliveryOutcome;
  reason: string;
}

/** `carried`: the retry state of a workflow that continued as new. */
export async function deliveryWorkflow(input: DeliveryWorkflowInput, carried?: RetryState): Promise<string> {
  const signals: Signals = { woken: false, commanded: false };
  setHandler(deliverSignal, () => {
    signals.woken = true;
  });
  for (const signal of [commandSignal, withdrawSignal]) {
    setHandler(signal, () => {
      signals.woken = true;
      signals.commanded = true;
    });
  }
  const show = showStatus('reading what is due');

  let retry = carried ?? NO_FAILURES;
  for (;;) {
    signals.woken = false;
    const { outcome, reason } = await bringUpToDate(input, retry, signals, show);
    retry = NO_FAILURES;
    showOutcome(outcome);
    show(`${outcome}: ${reason}`);
    if (!signals.woken) return finish(outcome, `${outcome}: ${reason}`);
  }
}

/**
 * A delivery that needs its author ends as Failed, so that operators can filter for it. The failure
 * is benign, because nothing is broken here.
 */
function finish(outcome: DeliveryOutcome, message: string): string {
  const type = FAILURE_TYPES[outcome];
  if (type === undefined) return message;
  throw ApplicationFailure.create({ message, type, nonRetryable: true, category: ApplicationFailureCategory.BENIGN });
}

/** Set by the signal handlers, cleared by the loops before each plan. */
interface Signals {
  /** A step may be due. */
  woken: boolean;
  /** The author sent a command or unpublished the article. */
  commanded: boolean;
}

/** Plans and executes until the destination is up to date or only the author can act. */
async function bringUpToDate(
  input: DeliveryWorkflowInput,
  carried: RetryState,
  signals: Signals,
  show: (text: string) => void,
): Promise<RunResult> {
  let retry = carried;
  let canCombine = true;
  for (;;) {
    signals.commanded = false;
    // The new run plans first, so a signal received meanwhile is not lost.
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof deliveryWorkflow>(input, retry);
    }
    showOutcome('sending');
    const { planned, outcome, isLost } = await executePlan(input, retry, { canCombine });
    canCombine &&= !isLost;
    if (planned.kind === 'end') return planned;
    show(planned.step.kind);
    const { retry: after, conclusion } = await runAttempt(input, { ...planned, outcome }, retry);
    retry = after;
    if (conclusion.kind === 'end') return conclusion;
    if (conclusion.afterMs > 0) {
      show(`${conclusion.reason}; retrying at ${new Date(Date.now() + conclusion.afterMs).toISOString()}`);
      const result = await wait(input, conclusion, signals);
      if (result) return result;
    }
  }
}

/**
 * Plans, and sends in the same activity where possible. After a failure, plan and send run as
 * separate activities, so that a call that kills its worker is counted and eventually given up.
 */
async function executePlan(
  input: DeliveryWorkflowInput,
  retry: RetryState,
  { canCombine }: { canCombine: boolean },
): Promise<PlannedAndSent & { isLost: boolean }> {
  const planInput = { ...input, retry };
  const isCombined = canCombine && retry.failures === 0;
  const sent = isCombined ? await planAndSend(planInput) : null;
  if (sent) return { ...sent, isLost: false };
  return { planned: await planStep(planInput), outcome: null, isLost: isCombined };
}

/**
 * Waits for `afterMs` or until a command. A command ends the pause after a failure. It does not
 * shorten the wait for a rate slot, unless the due step needs none. Returns the result if nothing
 * is due.
 */
async function wait(
  input: DeliveryWorkflowInput,
  { afterMs, forSlot }: Extract<Conclusion, { kind: 'replan' }>,
  signals: Signals,
): Promise<RunResult | null> {
  let until = Date.now() + afterMs;
  for (let remainingMs = afterMs; remainingMs > 0; remainingMs = until - Date.now()) {
    const isCommanded = await condition(() => signals.commanded, remainingMs);
    if (!isCommanded || !forSlot) return null;
    signals.commanded = false;
    const now = await planStep({ ...input, retry: null });
    if (now.kind === 'end') return now;
    until = Date.now() + now.slotInMs;
  }
  return null;
}
