/**
 * Plans a delivery and makes the due call in one activity, which saves a workflow task between
 * them. Only plans if the delivery must wait for a rate slot or has nothing to send.
 */
import type { PlanInput, PlannedAndSent } from '../../delivery/activity-messages.ts';
import type { DeliveryKey } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { catchInternalErrors, INTERNAL_ERROR_OUTCOME } from './internal-errors.ts';
import { planWithSlot } from './plan.ts';
import { isAction, sendPlanned } from './send.ts';

/**
 * Runs at most once. Interrupted before the mark, it sent nothing. Interrupted after the mark, the
 * row shows an open attempt, and the next plan (`planStep`) resolves it.
 */
export async function planAndSend(deps: ActivityDeps, input: DeliveryKey & PlanInput): Promise<PlannedAndSent> {
  const { articleId, destination } = input;
  const { planned, plan } = await planWithSlot(deps, input);
  if (plan === null || planned.kind === 'end' || planned.slotInMs > 0 || !isAction(planned.step)) {
    return { planned, outcome: null };
  }
  const expected = { articleId, destination, expected: planned.step.kind };
  const send = () => sendPlanned(deps, plan, expected);
  return {
    planned,
    outcome: await catchInternalErrors('an attempt failed before it was sent', expected, send, INTERNAL_ERROR_OUTCOME),
  };
}
