/** Messages of REST and GraphQL about a failure on our side. */

export const DATABASE_UNREACHABLE =
  'The service cannot reach its database just now. Nothing was changed; try again in a moment.';

/** For an unexpected error: the request's id leads to the log, and nothing of the inside is shown. */
export function describeInternalError(requestId: string): string {
  return `Something broke on our side. Quote request ${requestId} when you report it.`;
}

/** Of what takes all of the stack to read (`isStackOverflow`): the client's fault, and nothing that a log should hold a stack of. */
export const TOO_DEEP = 'The request is nested too deep to be read. Nothing was changed.';
