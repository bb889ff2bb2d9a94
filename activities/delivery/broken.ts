/**
 * A bug of ours, or a row that nobody expected, met in an activity. Its author gets a sentence without insides, and the delivery goes on by
 * the rules of every other failure: growing pauses, and one outcome in the end. The log has the details. A database that is away is no
 * bug: whoever needs it waits.
 */
import { log } from '@temporalio/activity';
import type { DestinationAnswer } from '../../delivery/types.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';

export const BROKEN = 'Something went wrong here, not at the destination. Its operator finds the details in the log.';

/** The outcome of a call that broke before it was made. */
export const UNAVAILABLE = { kind: 'unavailable', reason: BROKEN } as const;

/** Runs `call`; after a bug it answers `instead`. */
export async function unlessBroken<T>(what: string, input: object, call: () => Promise<T>, instead: T): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log.error(what, { ...input, err: error });
    return instead;
  }
}

/** A client that breaks in the middle of its call may have sent the request: nobody knows. */
export function askSafely(input: object, call: () => Promise<DestinationAnswer>): Promise<DestinationAnswer> {
  return unlessBroken('the client of a destination broke', input, call, { kind: 'unknown', reason: BROKEN });
}
