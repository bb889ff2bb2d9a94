/**
 * All values of `extensions.code` in GraphQL errors, whichever folder throws them. A test checks
 * that none is missing and that docs/graphql.md lists the same.
 */
import { GraphQLError } from 'graphql';

export const ERROR_CODES = {
  ALREADY_MADE: 'The form that asks for a token has made one before; at the desk alone.',
  ALREADY_PUBLIC: 'The article is public already.',
  BAD_ADDRESS: 'The address of a site is missing, malformed, or not one that may be called.',
  BAD_CREDENTIALS: 'A field of the credential is missing, unknown or unreadable.',
  BAD_CURSOR: 'A cursor is malformed, or of another list.',
  BAD_IDENTIFIER: 'What is to be imported from is no name, host or address of that source, or one that is not called.',
  BAD_INPUT: 'Values are not valid; where there are several, `extensions.errors` has each.',
  BAD_PLATFORM: 'The destination has no such platform.',
  BAD_POST_URL: 'This is not the address of a post at the destination.',
  BAD_SYNTAX: 'The document is JSON and not GraphQL.',
  BAD_TIME: 'The time cannot be read.',
  BUSY: 'Too much is being read and rendered at the moment; try again in a few seconds.',
  CAN_BE_ASKED: 'The destination can be asked itself how an attempt ended: retry the delivery.',
  COMMENTS_CLOSED: 'The article takes no comments.',
  CONNECTION_CHANGED: 'The destination was connected or disconnected while a command tried it.',
  CREDENTIALS_REFUSED: 'The destination does not take the credential.',
  DATABASE_UNAVAILABLE: 'The database cannot be reached. Nothing was changed; try again in a moment.',
  DELETED: 'The article was deleted.',
  DELIVERED: 'The present revision is there already.',
  DESTINATION_RATE_LIMITED: 'The destination asks to wait before it is called again.',
  DESTINATION_UNAVAILABLE: 'The destination does not answer as it should.',
  EMAIL_NOT_CONFIRMED: 'The address of the account is not confirmed yet.',
  EMAIL_TAKEN: 'There is an account with this address.',
  INTERNAL_SERVER_ERROR: 'Something broke on our side; the message names the request.',
  INTROSPECTION_OFF: 'The schema is shown to signed-in people only.',
  IMPORT_RUNNING: 'Another import of yours is still running.',
  IN_THE_PAST: 'The time has passed.',
  LINK_INVALID: 'The link is cut off, changed, used or expired.',
  NOTHING_TO_RETRY: 'The delivery is done, or under way.',
  NOTHING_TO_SETTLE: 'No attempt of this delivery has an unknown outcome.',
  NOT_AS_EXPECTED: 'The article is not as it was when its writer was told what a publish would do; at the desk alone.',
  NOT_CONNECTED: 'The destination is not connected.',
  NOT_FOUND: 'There is nothing with this name, or nothing of yours.',
  NOT_IN_DIGEST: 'The digest does not tell of this type of notification.',
  NO_REMOTE_POST: 'There is no copy to overwrite.',
  OWN_PROFILE: 'Nobody follows themselves.',
  POST_TAKEN: 'The post belongs to another article.',
  RATE_LIMITED: 'Too many attempts; the message says how long to wait.',
  SENT_AGAIN: 'The attempt that was to be settled is not the last one any more; at the desk alone.',
  STILL_TRYING: 'The attempt is still under way.',
  STORAGE_FULL: 'The documents of the author take all the room there is for one.',
  SUSPENDED: 'The account is suspended.',
  THREAD_TOO_DEEP: 'A reply would stand too deep in its thread.',
  TITLE_TAKEN: 'You have a series of this title already.',
  TOO_COSTLY: 'The document asks for more than one request may.',
  TOO_DEEP: 'The document is nested deeper than one may be.',
  TOO_LARGE: 'The document, or its answer, is larger than one may be.',
  TOO_MANY: 'There are as many of these as one may have.',
  TOO_SLOW: 'The time for one request was over; what had not begun by then was left undone.',
  UNAUTHENTICATED: 'Nobody is signed in, or the password is wrong.',
  USERNAME_TAKEN: 'The user name, or one that looks like it, is taken or reserved.',
  WEAK_PASSWORD: 'The password is too short, or one that anybody would try.',
  WRONG_PASSWORD: 'The present password is wrong.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** An error for the client: `code` for programs, the message for people. */
export function createGraphqlError(code: ErrorCode, message: string, more: Record<string, unknown> = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...more } });
}
