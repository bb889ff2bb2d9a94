/**
 * The actor of one article at one destination. `planAndSend` and `planStep` say what is due, `delivery/resolve-attempt` what each ending of an
 * attempt means; this loop waits and carries out. Revisions coalesce: whatever came while it waited, the next plan sees only the newest.
 */
import { ApplicationFailureCategory } from '@temporalio/common';
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { DeliveryOutcome } from '../delivery/outcome.ts';
import { NO_FAILURES, type RetryState } from '../delivery/retry-state.ts';
import type { PlannedAndSent } from '../delivery/wire.ts';
import { FAILURE_TYPES } from '../temporal/names.ts';
import { type Conclusion, planAndSend, runAttempt } from './delivery-attempt.ts';
import { type DeliveryWorkflowInput, decidedSignal, deliverSignal, withdrawSignal } from './messages.ts';
import { LOCAL_RECORD_OPTIONS } from './options.ts';
import { showOutcome, showStatus } from './status.ts';

const { planStep } = proxyLocalActivities<Activities>(LOCAL_RECORD_OPTIONS);

/** How a delivery ends, until something wakes it again. */
interface Ending {
  outcome: DeliveryOutcome;
  why: string;
}

/** `carried`: the retry state, where the workflow continues as new. */
export async function deliveryWorkflow(input: DeliveryWorkflowInput, carried?: RetryState): Promise<string> {
  const signals: Signals = { woken: false, commanded: false };
  setHandler(deliverSignal, () => {
    signals.woken = true;
  });
  for (const signal of [decidedSignal, withdrawSignal]) {
    setHandler(signal, () => {
      signals.woken = true;
      signals.commanded = true;
    });
  }
  const show = showStatus('reading what is due');

  let retry = carried ?? NO_FAILURES;
  for (;;) {
    signals.woken = false;
    const { outcome, why } = await bringUpToDate(input, retry, signals, show);
    retry = NO_FAILURES;
    showOutcome(outcome);
    show(`${outcome}: ${why}`);
    if (!allHandlersFinished()) await condition(allHandlersFinished);
    if (!signals.woken) return finish(outcome, `${outcome}: ${why}`);
  }
}

/** A delivery that needs its author ends as Failed, by which operators find it. Benign: nothing is broken here, and nothing is to be retried. */
function finish(outcome: DeliveryOutcome, message: string): string {
  const type = FAILURE_TYPES[outcome];
  if (type === undefined) return message;
  throw ApplicationFailure.create({ message, type, nonRetryable: true, category: ApplicationFailureCategory.BENIGN });
}

/** Set by the signal handlers, cleared by the loops before they plan. */
interface Signals {
  /** Something may be due. */
  woken: boolean;
  /** The author gave a command, or took the article back. */
  commanded: boolean;
}

/** Works until the destination carries what it should, or until only the author can help. */
async function bringUpToDate(
  input: DeliveryWorkflowInput,
  carried: RetryState,
  signals: Signals,
  show: (text: string) => void,
): Promise<Ending> {
  let retry = carried;
  let isAtOnce = true;
  for (;;) {
    signals.commanded = false;
    // The new run plans before anything else, so a signal that came meanwhile is not lost on it.
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof deliveryWorkflow>(input, retry);
    }
    showOutcome('sending');
    const { planned, outcome, isLost } = await takeStep(input, retry, { isAtOnce });
    isAtOnce &&= !isLost;
    if (planned.kind === 'end') return planned;
    show(planned.step.kind);
    const { retry: after, conclusion } = await runAttempt(input, { ...planned, outcome }, retry);
    retry = after;
    if (conclusion.kind === 'end') return conclusion;
    if (conclusion.afterMs > 0) {
      show(`${conclusion.why}; trying again at ${new Date(Date.now() + conclusion.afterMs).toISOString()}`);
      const ended = await wait(input, conclusion, signals);
      if (ended) return ended;
    }
  }
}

/**
 * What is due, and what came of it where it was done at once. After a failure, or where such a step was lost, one thing after the other: a call
 * that is lost by itself is counted, so one that its worker dies of each time is given up in the end.
 */
async function takeStep(
  input: DeliveryWorkflowInput,
  retry: RetryState,
  { isAtOnce }: { isAtOnce: boolean },
): Promise<PlannedAndSent & { isLost: boolean }> {
  const question = { ...input, carried: retry };
  const triesAtOnce = isAtOnce && retry.failures === 0;
  const sent = triesAtOnce ? await planAndSend(question) : null;
  if (sent) return { ...sent, isLost: false };
  return { planned: await planStep(question), outcome: null, isLost: triesAtOnce };
}

/**
 * Waits until it is time, or until the author gives a command. A command shortens the pause after a failure, but not the wait for a rate
 * slot, unless what is due by then has none. Returns the ending where the command was one.
 */
async function wait(
  input: DeliveryWorkflowInput,
  { afterMs, forSlot }: Extract<Conclusion, { kind: 'replan' }>,
  signals: Signals,
): Promise<Ending | null> {
  let until = Date.now() + afterMs;
  for (let leftMs = afterMs; leftMs > 0; leftMs = until - Date.now()) {
    const isCommanded = await condition(() => signals.commanded, leftMs);
    if (!isCommanded || !forSlot) return null;
    signals.commanded = false;
    const now = await planStep({ ...input, carried: null });
    if (now.kind === 'end') return now;
    until = Date.now() + now.slotInMs;
  }
  return null;
}
