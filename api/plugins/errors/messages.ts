/** Messages of REST and GraphQL about internal failures. */

import { isConnectionLost } from '../../../store/db/pg-errors.ts';

export const DATABASE_UNREACHABLE = 'The database is unreachable. Nothing was changed. Try again in a moment.';

const DATABASE_LOST =
  'The connection to the database was lost during this request, so it is unknown whether the change was saved. ' +
  'Check in a moment, or send the request again: a saved article is found and not created twice.';

/** For an error for which `isDatabaseUnavailable` is true. */
export function describeDatabaseFailure(error: unknown): string {
  return isConnectionLost(error) ? DATABASE_LOST : DATABASE_UNREACHABLE;
}

/** For an unexpected error. Shows no internals; the request id leads to the log entry. */
export function describeInternalError(requestId: string): string {
  return `Internal error. Include request ${requestId} when you report it.`;
}

/** For a request that overflows the stack (`isStackOverflow`): a client error, not logged. */
export const TOO_DEEP = 'The request is nested too deep. Nothing was changed.';
