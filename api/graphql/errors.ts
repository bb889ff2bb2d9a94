/**
 * All values of `extensions.code` in GraphQL errors, whichever folder throws them. A test checks
 * that none is missing and that docs/graphql.md lists the same.
 */
import { GraphQLError } from 'graphql';

export const ERROR_CODES = {
  ALREADY_MADE: 'The form has already created a token. Only at the desk.',
  ALREADY_PUBLIC: 'The article is already public.',
  BAD_ADDRESS: 'The address of a site is missing, malformed or not allowed.',
  BAD_CREDENTIALS: 'A field of the credential is missing, unknown or unreadable.',
  BAD_CURSOR: 'A cursor is malformed or belongs to another list.',
  BAD_IDENTIFIER: 'The identifier is not a name, host or address of the import source, or is not allowed.',
  BAD_INPUT: 'Values are invalid. If there are several, `extensions.errors` lists each.',
  BAD_PLATFORM: 'The destination has no such platform.',
  BAD_POST_URL: 'The URL is not the address of a copy at the destination.',
  BAD_SYNTAX: 'The document is JSON, not GraphQL.',
  BAD_TIME: 'The time cannot be read.',
  BUSY: 'The service is busy reading and rendering documents. Try again in a few seconds.',
  CAN_BE_ASKED: 'The destination can report how the attempt ended: retry the delivery.',
  COMMENTS_CLOSED: 'The article does not accept comments.',
  CONNECTION_CHANGED: 'The destination was connected or disconnected while a command was testing it.',
  CREDENTIALS_REFUSED: 'The destination refused the credential.',
  DATABASE_UNAVAILABLE: 'The database is unreachable. Nothing was changed. Try again in a moment.',
  DELETED: 'The article was deleted.',
  DELIVERED: 'The current revision is already delivered.',
  DESTINATION_RATE_LIMITED: 'The destination requires a wait before the next call.',
  DESTINATION_UNAVAILABLE: 'The destination is not responding correctly.',
  EMAIL_NOT_CONFIRMED: 'The address of the account is not confirmed yet.',
  EMAIL_TAKEN: 'An account with this address already exists.',
  INTERNAL_SERVER_ERROR: 'An internal error. The message contains the request id.',
  INTROSPECTION_OFF: 'Introspection requires a session.',
  IMPORT_RUNNING: 'Another import of yours is still running.',
  IN_THE_PAST: 'The time has passed.',
  LINK_INVALID: 'The link is incomplete, altered, used or expired.',
  NOTHING_TO_RETRY: 'The destination already has the current article.',
  NOTHING_TO_SETTLE: 'No attempt of this delivery has an unknown outcome.',
  NOT_AS_EXPECTED: 'The article has changed since the preview of its publish. Only at the desk.',
  NOT_CONNECTED: 'The destination is not connected.',
  NOT_FOUND: 'Nothing has this name, or it is not yours.',
  NOT_IN_DIGEST: 'The digest does not include this type of notification.',
  NO_REMOTE_POST: 'There is no copy to overwrite.',
  OWN_PROFILE: 'You cannot follow yourself.',
  POST_TAKEN: 'The copy belongs to another article.',
  RATE_LIMITED: 'Too many attempts. The message contains the time to wait.',
  SENT_AGAIN: 'The attempt to resolve is no longer the latest one. Only at the desk.',
  STILL_TRYING: 'The attempt is still in progress.',
  STORAGE_FULL: 'The documents of the author use all the available storage.',
  SUSPENDED: 'The account is suspended.',
  THREAD_TOO_DEEP: 'The reply would be nested too deep in its thread.',
  TITLE_TAKEN: 'You already have a series with this title.',
  TOO_COSTLY: 'The document exceeds the cost limit of one request.',
  TOO_DEEP: 'The document is nested too deep.',
  TOO_LARGE: 'The document or its response is too large.',
  TOO_MANY: 'The maximum number is reached.',
  TOO_SLOW: 'The request took too long. Fields that had not started by then were not executed.',
  UNAUTHENTICATED: 'No session, or the password is wrong.',
  USERNAME_TAKEN: 'The user name, or one that looks like it, is taken or reserved.',
  WEAK_PASSWORD: 'The password is too short or too common.',
  WRONG_PASSWORD: 'The current password is wrong.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** An error for the client: `code` for programs, the message for people. */
export function createGraphqlError(code: ErrorCode, message: string, more: Record<string, unknown> = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...more } });
}

/** BAD_INPUT with every invalid field. */
export function createInputError(errors: readonly { path: string; message: string }[]): GraphQLError {
  const text = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return createGraphqlError('BAD_INPUT', text, { errors });
}
