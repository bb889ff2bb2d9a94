/** Sends one mail with a day of retries while the mail server is unavailable, and shows its outcome. */
import { ActivityFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { FinalMailOutcome } from '../activities/index.ts';
import { showOutcome } from './status.ts';

/** Returns the outcome of the activity, or a failure if all attempts failed. */
export async function awaitMail(sending: Promise<FinalMailOutcome>): Promise<FinalMailOutcome> {
  try {
    return await sending;
  } catch (error) {
    if (isCancellation(error)) throw error;
    const last = error instanceof ActivityFailure ? error.cause : undefined;
    const why = last instanceof TimeoutFailure ? 'the worker stopped' : (last?.message ?? 'unknown reason');
    return { kind: 'failed', reason: `Gave up after retrying for a day. Last attempt: ${why}` };
  }
}

/** `state`: of the mail's row; null if the mail was deleted. Returns the result of the workflow. */
export function showMailState(state: string | null, outcome: FinalMailOutcome, show: (text: string) => void): string {
  const end = state ?? 'deleted';
  showOutcome(end);
  const result = 'reason' in outcome ? `${end}: ${outcome.reason}` : end;
  show(result);
  return result;
}
