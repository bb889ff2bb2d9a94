/** Builds the ending of a mail that failed all attempts. */
import { ActivityFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { MailEnding } from '../activities/index.ts';

/** Rethrows a cancellation. */
export function buildGivenUpEnding(error: unknown): MailEnding {
  if (isCancellation(error)) throw error;
  const last = error instanceof ActivityFailure ? error.cause : undefined;
  const why = last instanceof TimeoutFailure ? 'the worker stopped' : (last?.message ?? 'unknown reason');
  return { kind: 'failed', reason: `Gave up after retrying for a day. Last attempt: ${why}` };
}
