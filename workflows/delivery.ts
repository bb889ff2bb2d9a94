/**
 * The actor of one article at one destination. The ledger row says what is to be done; `delivery-attempt` says what each
 * ending of an attempt means. Revisions coalesce: whatever came while it waited, the next look sees only the newest.
 */
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyLocalActivities,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { SEARCH_ATTRIBUTES } from '../temporal/names.ts';
import { attemptStep, type End, type Next } from './delivery-attempt.ts';
import { type DeliveryWorkflowInput, decidedSignal, deliverSignal } from './messages.ts';
import { LOCAL_RECORD_OPTIONS } from './options.ts';
import { showStatus } from './status.ts';
import { newTrouble, type Trouble } from './trouble.ts';

const { planStep } = proxyLocalActivities<Activities>(LOCAL_RECORD_OPTIONS);

/** `carried`: the trouble so far, where the actor continues as new. */
export async function deliveryWorkflow(input: DeliveryWorkflowInput, carried?: Trouble): Promise<string> {
  let asked = false;
  const word: Word = { given: false };
  setHandler(deliverSignal, () => {
    asked = true;
  });
  setHandler(decidedSignal, () => {
    asked = true;
    word.given = true;
  });
  const show = showStatus('looking what is to be done');

  let trouble = carried ?? newTrouble();
  for (;;) {
    asked = false;
    const end = await bringUpToDate(input, trouble, word, show);
    trouble = newTrouble();
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.outcome, value: end.outcome }]);
    show(`${end.outcome}: ${end.why}`);
    await condition(allHandlersFinished);
    if (!asked) return `${end.outcome}: ${end.why}`;
  }
}

/** The author's word came, and nobody has looked since. */
interface Word {
  given: boolean;
}

/** Works until the destination carries what it should, or until only the author can help. */
async function bringUpToDate(
  input: DeliveryWorkflowInput,
  trouble: Trouble,
  word: Word,
  show: (text: string) => void,
): Promise<End> {
  for (;;) {
    word.given = false;
    // The new run plans before anything else, so a signal that came meanwhile is not lost on it.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliveryWorkflow>(input, trouble);
    const plan = await planStep({ ...input, hasTurn: trouble.hasTurn });
    if (plan.kind === 'end') return plan.end;
    show(plan.kind);
    const next = await attemptStep(input, plan, trouble);
    if (next.kind === 'end') return next.end;
    if (next.afterMs > 0) {
      show(`${next.why}; trying again at ${new Date(Date.now() + next.afterMs).toISOString()}`);
      const ended = await wait(input, next, word);
      if (ended) return ended;
    }
  }
}

/**
 * Sleeps until it is time, or until the author says something. A word shortens a pause after a failure, but never a turn that the account's
 * budget gave: whatever else is due by then is found out when it comes. Answers the end where the word was one.
 */
async function wait(
  input: DeliveryWorkflowInput,
  next: Extract<Next, { kind: 'again' }>,
  word: Word,
): Promise<End | null> {
  const until = Date.now() + next.afterMs;
  for (let leftMs = next.afterMs; leftMs > 0; leftMs = until - Date.now()) {
    const isHurried = await condition(() => word.given, leftMs);
    if (!isHurried || !next.turn) return null;
    word.given = false;
    const now = await planStep({ ...input, hasTurn: true });
    if (now.kind === 'end') return now.end;
  }
  return null;
}
