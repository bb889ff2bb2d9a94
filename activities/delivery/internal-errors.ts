/**
 * Handles bugs and unexpected rows in activities. Logs the details, shows the author a general
 * message, and applies the usual retries. Does not handle database outages: Temporal retries those.
 */
import { log } from '@temporalio/activity';
import type { DestinationAnswer } from '../../delivery/types.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';

export const INTERNAL_ERROR_MESSAGE =
  'Courant failed, not the destination. The operator of this site finds the details in the log.';

/** The outcome of a call that failed before it was sent. */
export const INTERNAL_ERROR_OUTCOME = { kind: 'unavailable', reason: INTERNAL_ERROR_MESSAGE } as const;

/** Runs `call`; returns `fallback` after a bug. Rethrows database outages. */
export async function catchInternalErrors<T>(
  logMessage: string,
  input: object,
  call: () => Promise<T>,
  fallback: T,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.error(logMessage, { ...input, err: error });
    return fallback;
  }
}

/** A client that throws during its call may have sent the request: the outcome is unknown. */
export function callClientSafely(input: object, call: () => Promise<DestinationAnswer>): Promise<DestinationAnswer> {
  return catchInternalErrors('the client of a destination failed', input, call, {
    kind: 'unknown',
    reason: INTERNAL_ERROR_MESSAGE,
  });
}
