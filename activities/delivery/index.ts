/**
 * The activities of a delivery. Temporal never retries calls to destinations. Results hold ids,
 * URLs and a message; no article body and no secret.
 */
import type { OutcomeInput, PlanInput } from '../../delivery/activity-messages.ts';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import { blockConnection } from '../../store/connections/rate-budget.ts';
import type { DeliveryKey } from '../../store/deliveries/situation.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { catchInternalErrors, INTERNAL_ERROR_OUTCOME } from './internal-errors.ts';
import { lookUp, probe } from './look-up.ts';
import { planStep } from './plan.ts';
import { record } from './record.ts';
import { planAndSend, send } from './send.ts';

export function createDeliveryActivities(deps: ActivityDeps) {
  return {
    planStep: (input: DeliveryKey & PlanInput) => planStep(deps, input),
    /** Plans, and sends in the same activity if the step is due now. */
    planAndSend: (input: DeliveryKey & PlanInput) => withHeartbeat(() => planAndSend(deps, input)),
    /** Creates, updates or withdraws if that step is still due. Marks the row: `markAttempt`. */
    sendDelivery: (input: DeliveryKey & { expected: string }) => withHeartbeat(() => send(deps, input)),
    /** Looks up the post of a create of unknown outcome. */
    lookUpDelivery: (input: DeliveryKey & { attemptId: string | null }) =>
      withHeartbeat(() =>
        catchInternalErrors('a look-up failed', input, () => lookUp(deps, input), INTERNAL_ERROR_OUTCOME),
      ),
    /** Checks whether the destination accepts the credential now. */
    probeConnection: (input: DeliveryKey) =>
      withHeartbeat(() =>
        catchInternalErrors('a probe failed', input, () => probe(deps, input), { kind: 'unavailable' }),
      ),
    recordOutcome: (input: OutcomeInput) => record(deps, input),
    /** Blocks all deliveries of the account after a 429. */
    async blockConnection(connectionId: string, forMs: number): Promise<void> {
      await blockConnection(deps.db, connectionId, Math.min(forMs, TIMEOUTS.maxRetryAfterMs));
    },
  };
}
