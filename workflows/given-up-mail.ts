/** Builds the ending of a mail that failed all attempts. */
import { ActivityFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { MailEnding } from '../activities/index.ts';

/** Rethrows a cancellation. */
export function buildGivenUpEnding(error: unknown): MailEnding {
  if (isCancellation(error)) throw error;
  const last = error instanceof ActivityFailure ? error.cause : undefined;
  const why = last instanceof TimeoutFailure ? 'the worker was lost' : (last?.message ?? 'the reason is not known');
  return { kind: 'failed', reason: `Given up after all attempts over a day. The last one: ${why}` };
}
