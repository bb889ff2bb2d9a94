/** A post that was made is recorded by the activity that made it: its author hears of it before the workflow does. */
import { log } from '@temporalio/activity';
import type { DestinationAnswer } from '../../delivery/types.ts';
import { recordDeliveredAnswer } from '../../store/deliveries/record-outcome.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * Null where there is nothing to record like this, or where it could not be: the answer is kept then, and the workflow records it.
 *
 * Cut before the row is written: the outcome of the attempt is unknown, and is found out like any other. Cut after it: the next plan finds the delivery
 * made, and nothing to do. The workflow of an earlier release records it once more, which changes nothing.
 */
export async function recordAtOnce(
  { db, now }: ActivityDeps,
  { deliveryId, attempt, answer }: { deliveryId: string; attempt: number; answer: DestinationAnswer },
): Promise<{ upToDate: boolean } | null> {
  if (answer.kind !== 'done' || answer.remote === null) return null;
  const { kind, remote } = answer;
  const outcomeKey = `delivery:${deliveryId}:${attempt}`;
  try {
    return await recordDeliveredAnswer(db, { deliveryId, attempt, outcomeKey, answer: { kind, remote }, now: now() });
  } catch (error) {
    log.warn('a delivery could not be recorded at once; its workflow does it', { deliveryId, err: error });
    return null;
  }
}
