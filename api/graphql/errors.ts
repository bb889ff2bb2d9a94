/**
 * How GraphQL says that something was refused: an error with a stable `extensions.code`. This is the list of all of them, whichever room throws
 * them; a test holds that none is missing and that docs/graphql.md has the same.
 */
import { GraphQLError } from 'graphql';

export const ERROR_CODES = {
  ALREADY_PUBLIC: 'The article is public already.',
  BAD_ADDRESS: 'The address of a site is missing, malformed, or not one that may be called.',
  BAD_CREDENTIALS: 'A field of the credential is missing, unknown or unreadable.',
  BAD_CURSOR: 'A cursor is malformed, or of another list.',
  BAD_INPUT: 'Values are not valid; where there are several, `extensions.errors` has each.',
  BAD_PLATFORM: 'The destination has no such platform.',
  BAD_POST_URL: 'This is not the address of a post at the destination.',
  BAD_TIME: 'The time cannot be read.',
  CAN_BE_ASKED: 'The destination can be asked itself how an attempt ended: retry the delivery.',
  CONNECTION_CHANGED: 'The destination was connected or disconnected while a command tried it.',
  CREDENTIALS_REFUSED: 'The destination does not take the credential.',
  DATABASE_UNAVAILABLE: 'The database cannot be reached. Nothing was changed; try again in a moment.',
  DELETED: 'The article was deleted.',
  DELIVERED: 'The present revision is there already.',
  DESTINATION_RATE_LIMITED: 'The destination asks to wait before it is called again.',
  DESTINATION_UNAVAILABLE: 'The destination does not answer as it should.',
  INTERNAL_SERVER_ERROR: 'Something broke on our side; the message names the request.',
  INTROSPECTION_OFF: 'The schema is shown to signed-in people only.',
  IN_THE_PAST: 'The time has passed.',
  NOTHING_TO_RETRY: 'The delivery is done, or under way.',
  NOTHING_TO_SETTLE: 'No attempt of this delivery has an unknown outcome.',
  NOT_CONNECTED: 'The destination is not connected.',
  NOT_FOUND: 'There is nothing of yours with this id.',
  NO_REMOTE_POST: 'There is no copy to overwrite.',
  POST_TAKEN: 'The post belongs to another article.',
  RATE_LIMITED: 'Too many attempts; the message says how long to wait.',
  STILL_TRYING: 'The attempt is still under way.',
  SUSPENDED: 'The account is suspended.',
  TITLE_TAKEN: 'You have a series of this title already.',
  TOO_COSTLY: 'The document asks for more than one request may.',
  TOO_DEEP: 'The document is nested deeper than one may be.',
  TOO_LARGE: 'The document, or its answer, is larger than one may be.',
  TOO_MANY: 'There are as many of these as one may have.',
  TOO_SLOW: 'The time for one request was over; what had not begun by then was left undone.',
  UNAUTHENTICATED: 'Nobody is signed in, or the password is wrong.',
  WRONG_PASSWORD: 'The password that was given once more is wrong.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** An error that is meant for the client: `code` for programs, the message for people. */
export function createGraphqlError(code: ErrorCode, message: string, more: Record<string, unknown> = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...more } });
}
