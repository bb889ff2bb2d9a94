/**
 * The actor of one article at one destination. The ledger row says what is to be done; `delivery-attempt` says what each
 * ending of an attempt means. Revisions coalesce: whatever came while it waited, the next look sees only the newest.
 */
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { SEARCH_ATTRIBUTES } from '../temporal/names.ts';
import { attemptStep, type End } from './delivery-attempt.ts';
import { type DeliveryWorkflowInput, deliverSignal } from './messages.ts';
import { RECORD_OPTIONS } from './options.ts';
import { showStatus } from './status.ts';
import { newTrouble, type Trouble } from './trouble.ts';

const { planStep } = proxyActivities<Activities>(RECORD_OPTIONS);

/** `carried`: the trouble so far, where the actor continues as new. */
export async function deliveryWorkflow(input: DeliveryWorkflowInput, carried?: Trouble): Promise<string> {
  let asked = false;
  setHandler(deliverSignal, () => {
    asked = true;
  });
  const show = showStatus('looking what is to be done');

  let trouble = carried ?? newTrouble();
  for (;;) {
    asked = false;
    const end = await bringUpToDate(input, trouble, show);
    trouble = newTrouble();
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.outcome, value: end.outcome }]);
    show(`${end.outcome}: ${end.why}`);
    await condition(allHandlersFinished);
    if (!asked) return `${end.outcome}: ${end.why}`;
  }
}

/** Works until the destination carries what it should, or until only the author can help. */
async function bringUpToDate(
  input: DeliveryWorkflowInput,
  trouble: Trouble,
  show: (text: string) => void,
): Promise<End> {
  for (;;) {
    // The new run plans before anything else, so a signal that came meanwhile is not lost on it.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliveryWorkflow>(input, trouble);
    const plan = await planStep(input);
    if (plan.kind === 'end') return plan.end;
    show(plan.kind);
    const next = await attemptStep(input, plan, trouble);
    if (next.kind === 'end') return next.end;
    if (next.afterMs > 0) {
      show(`${next.why}; trying again at ${new Date(Date.now() + next.afterMs).toISOString()}`);
      await sleep(next.afterMs);
    }
  }
}
