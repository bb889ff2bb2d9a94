/**
 * Plans, and makes the call that is due in the same activity: nothing lies between the two but the attempt's mark, so the workflow is
 * asked once less. Where the delivery has to wait for its turn, or nothing is to be sent, it only plans.
 */
import type { PlanInputOnWire, SentOnWire } from '../../delivery/wire.ts';
import type { DeliveryKey } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { UNAVAILABLE, unlessBroken } from './broken.ts';
import { planInLine } from './plan.ts';
import { isAction, sendPlanned } from './send.ts';

/**
 * Run by Temporal once at most. Cut before the mark: nothing was sent. Cut after it: the row says that something may be there, and the plan that follows
 * (`planStep`, by the workflow) finds it out. A place in the account's line that was taken is found again, too.
 */
export async function planAndSend(deps: ActivityDeps, input: DeliveryKey & PlanInputOnWire): Promise<SentOnWire> {
  const { articleId, destination } = input;
  const { planned, plan } = await planInLine(deps, input);
  if (plan === null || planned.kind !== plan.step.kind || planned.waitMs > 0 || !isAction(plan.step)) {
    return { planned, outcome: null };
  }
  const expected = { articleId, destination, expected: plan.step.kind };
  const send = () => sendPlanned(deps, plan, expected);
  return { planned, outcome: await unlessBroken('an attempt broke before it was sent', expected, send, UNAVAILABLE) };
}
