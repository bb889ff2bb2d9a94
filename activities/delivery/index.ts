/**
 * The activities of a delivery. Temporal never repeats the calls to destinations. What they answer holds ids, addresses and a sentence; no
 * body, no secret.
 */
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import type { EndingInput, PlanInput } from '../../delivery/wire.ts';
import { blockConnection } from '../../store/connections/rate-budget.ts';
import type { DeliveryKey } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { UNAVAILABLE, unlessBroken } from './broken.ts';
import { lookUp, probe } from './look-up.ts';
import { planStep } from './plan.ts';
import { planAndSend } from './plan-and-send.ts';
import { record } from './record.ts';
import { send } from './send.ts';

export function createDeliveryActivities(deps: ActivityDeps) {
  return {
    planStep: (input: DeliveryKey & PlanInput) => planStep(deps, input),
    /** Plans, and sends at once where nothing has to be waited for. */
    planAndSend: (input: DeliveryKey & PlanInput) => withHeartbeat(() => planAndSend(deps, input)),
    /** Creates, updates or withdraws, if that is still what is due. Marks the row first: see `markAttempt`. */
    sendDelivery: (input: DeliveryKey & { expected: string }) =>
      withHeartbeat(() =>
        unlessBroken('an attempt broke before it was sent', input, () => send(deps, input), UNAVAILABLE),
      ),
    /** Looks for the post that a create may have made. */
    lookUpDelivery: (input: DeliveryKey & { attemptId: string | null }) =>
      withHeartbeat(() => unlessBroken('a look-up broke', input, () => lookUp(deps, input), UNAVAILABLE)),
    /** Whether the credential is good by now. */
    probeConnection: (input: DeliveryKey) =>
      withHeartbeat(() => unlessBroken('a probe broke', input, () => probe(deps, input), { kind: 'unavailable' })),
    recordEnding: (input: EndingInput) => record(deps, input),
    /** What a 429 means for all deliveries of the account. */
    async blockConnection(connectionId: string, forMs: number): Promise<void> {
      await blockConnection(deps.db, connectionId, Math.min(forMs, TIMEOUTS.longestWaitMs));
    },
  };
}
