/**
 * Plans a delivery, and makes the call that is due in the same activity, so that its workflow need not run in between. Where the delivery has to
 * wait for its rate slot, or nothing is to be sent, it only plans.
 */
import type { PlanInputOnWire, SentOnWire } from '../../delivery/wire.ts';
import type { DeliveryKey } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { UNAVAILABLE, unlessBroken } from './broken.ts';
import { planOrEndure } from './plan.ts';
import { isAction, sendPlanned } from './send.ts';

/**
 * Temporal runs it at most once. Cut before the mark: nothing was sent. Cut after it: the row says that something may be there, and the plan that
 * the workflow makes next (`planStep`) has it looked up.
 */
export async function planAndSend(deps: ActivityDeps, input: DeliveryKey & PlanInputOnWire): Promise<SentOnWire> {
  const { articleId, destination } = input;
  const { planned, plan } = await planOrEndure(deps, input);
  if (plan === null || planned.kind !== plan.step.kind || planned.waitMs > 0 || !isAction(plan.step)) {
    return { planned, outcome: null };
  }
  const expected = { articleId, destination, expected: plan.step.kind };
  const send = () => sendPlanned(deps, plan, expected);
  return { planned, outcome: await unlessBroken('an attempt broke before it was sent', expected, send, UNAVAILABLE) };
}
