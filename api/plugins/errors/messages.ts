/** Messages of REST and GraphQL about internal failures. */

import { isConnectionLost } from '../../../store/db/pg-errors.ts';

export const DATABASE_UNREACHABLE =
  'The service cannot reach its database just now. Nothing was changed; try again in a moment.';

const DATABASE_LOST =
  'The connection to the database broke in the middle of this request, so it is not known whether its change was kept. ' +
  'Look in a moment, or send it again: an article that was kept is found and not made twice.';

/** For an error for which `isDatabaseUnavailable` is true. */
export function describeDatabaseFailure(error: unknown): string {
  return isConnectionLost(error) ? DATABASE_LOST : DATABASE_UNREACHABLE;
}

/** For an unexpected error. Shows no internals; the request id leads to the log entry. */
export function describeInternalError(requestId: string): string {
  return `Something broke on our side. Quote request ${requestId} when you report it.`;
}

/** For a request that overflows the stack (`isStackOverflow`): a client error, not logged. */
export const TOO_DEEP = 'The request is nested too deep to be read. Nothing was changed.';
