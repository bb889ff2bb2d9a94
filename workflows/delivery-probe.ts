/** A refused credential is asked about once more after a moment; refused again, all that waits for it is held. */
import { isCancellation, proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { Activities, AttemptStep } from '../activities/index.ts';
import type { Next } from './delivery-attempt.ts';
import type { DeliveryWorkflowInput } from './messages.ts';
import { LOCAL_RECORD_OPTIONS, OUTSIDE_OPTIONS } from './options.ts';
import { nextOutcomeKey } from './outcome-key.ts';
import { countFailure, type Trouble } from './trouble.ts';

const records = proxyLocalActivities<Activities>(LOCAL_RECORD_OPTIONS);
const outside = proxyActivities<Activities>(OUTSIDE_OPTIONS);

/** A key that was just refused may be one that was just made; platforms take a moment to learn of it. */
const PROBE_AFTER_MS = 10_000;

/** `stillInFlight`: it was a look-up that was refused, which says nothing of the attempt it was about. */
export async function probeAgain(
  input: DeliveryWorkflowInput,
  step: AttemptStep,
  trouble: Trouble,
  refusal: { reason: string; stillInFlight: boolean },
): Promise<Next> {
  const { deliveryId, attempt, connectionId, generation } = step;
  if (!trouble.probed) {
    trouble.probed = true;
    const retry = { deliveryId, attempt, code: 'unauthorised', afterMs: PROBE_AFTER_MS, ...refusal };
    await records.recordRetry(retry);
    await sleep(PROBE_AFTER_MS);
    const probe = await probeConnection(input);
    if (probe.kind !== 'unauthorised') {
      return { kind: 'again', afterMs: countFailure(trouble), why: 'the credential is being tried again' };
    }
  }
  const outcomeKey = nextOutcomeKey();
  const held = await records.recordUnauthorised({
    deliveryId,
    attempt,
    connectionId,
    generation,
    outcomeKey,
    ...refusal,
  });
  // Reconnected meanwhile: the refusal was of the former credential.
  if (!held) return { kind: 'again', afterMs: 0, why: 'the destination was connected anew' };
  return { kind: 'end', end: { outcome: 'held', why: refusal.reason } };
}

async function probeConnection(input: DeliveryWorkflowInput): Promise<{ kind: string }> {
  try {
    return await outside.probeConnection(input);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { kind: 'lost' };
  }
}
