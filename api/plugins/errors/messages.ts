/** Messages of REST and GraphQL about a failure on our side. */

import { isConnectionLost } from '../../../store/db/pg-errors.ts';

export const DATABASE_UNREACHABLE =
  'The service cannot reach its database just now. Nothing was changed; try again in a moment.';

const DATABASE_LOST =
  'The connection to the database broke in the middle of this request, so it is not known whether its change was kept. ' +
  'Look in a moment, or send it again: an article that was kept is found and not made twice.';

/** Of an error of which `isDatabaseUnavailable` is true. */
export function describeDatabaseFailure(error: unknown): string {
  return isConnectionLost(error) ? DATABASE_LOST : DATABASE_UNREACHABLE;
}

/** For an unexpected error: the request's id leads to the log, and nothing of the inside is shown. */
export function describeInternalError(requestId: string): string {
  return `Something broke on our side. Quote request ${requestId} when you report it.`;
}

/** Of what takes all of the stack to read (`isStackOverflow`): the client's fault, and nothing that a log should hold a stack of. */
export const TOO_DEEP = 'The request is nested too deep to be read. Nothing was changed.';
