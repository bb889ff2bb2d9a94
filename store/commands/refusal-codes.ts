/** The codes of refused commands. A code that is missing here does not compile. */
import type { CodeEntry } from '../../article/notice-codes.ts';

export const REFUSAL_CODES = {
  ALREADY_MADE: ['The form has already created a token. Only at the desk.', 'Reload the page to create another one.'],
  ALREADY_PUBLIC: ['The article is already public.', 'Unpublish it first, or leave it as it is.'],
  BAD_ADDRESS: ['The address of a site is missing, malformed or not allowed.', 'Correct the address.'],
  BAD_CREDENTIALS: [
    'A field of the credential is missing, unknown or unreadable.',
    'Send exactly the fields that the destination requires.',
  ],
  BAD_IDENTIFIER: [
    'The identifier is not a name, host or address of the import source, or is not allowed.',
    'Enter the user name, blog host or feed address of the source.',
  ],
  BAD_INPUT: [
    'Values are invalid. If there are several, `extensions.errors` lists each.',
    'Correct the listed values.',
  ],
  BAD_PLATFORM: ['The destination has no such platform.', 'Use a platform of this destination.'],
  BAD_POST_URL: ['The URL is not the address of a copy at the destination.', 'Copy the address of the published post.'],
  BAD_TIME: ['The time cannot be read.', 'Send ISO 8601 with an offset, or with a zone in brackets.'],
  BUSY: ['The service is busy reading and rendering documents.', 'Try again in a few seconds.'],
  CAN_BE_ASKED: ['The destination can report how the attempt ended.', 'Use `retryDelivery`: it looks the copy up.'],
  COMMENTS_CLOSED: ['The article does not accept comments.', 'Only the author can open them.'],
  CONNECTION_CHANGED: [
    'The destination was connected or disconnected while a command was testing it.',
    'Read `connections`, then repeat the command if it is still needed.',
  ],
  CREDENTIALS_REFUSED: ['The destination refused the credential.', 'Create a new credential there and connect again.'],
  DELETED: ['The article was deleted.', 'Publish the same document again to restore it.'],
  DELIVERED: ['The current revision is already delivered.', 'Nothing. To remove the copy, use `withdrawDelivery`.'],
  DESTINATION_RATE_LIMITED: ['The destination requires a wait before the next call.', 'Wait, then try again.'],
  DESTINATION_UNAVAILABLE: ['The destination is not responding correctly.', 'Try again later.'],
  EMAIL_NOT_CONFIRMED: [
    'The address of the account is not confirmed yet.',
    'Use the link in the mail, or request another one with `resendConfirmation`.',
  ],
  EMAIL_TAKEN: ['An account with this address already exists.', 'Sign in, or reset the password.'],
  IMPORT_RUNNING: ['Another import of yours is still running.', 'Wait for its end, or cancel it.'],
  IN_THE_PAST: ['The time has passed.', 'Choose a later time, or publish now.'],
  LINK_INVALID: ['The link is incomplete, altered, used or expired.', 'Request a new link.'],
  NOTHING_TO_RETRY: ['The destination already has the current article.', 'Nothing.'],
  NOTHING_TO_SETTLE: ['No attempt of this delivery has an unknown outcome.', 'Nothing.'],
  NOT_AS_EXPECTED: [
    'The article has changed since the preview of its publish. Only at the desk.',
    'Check the preview again, then publish.',
  ],
  NOT_CONNECTED: ['The destination is not connected.', 'Connect it first.'],
  NOT_FOUND: ['Nothing has this name, or it is not yours.', 'Check the id or slug.'],
  NOT_IN_DIGEST: ['The digest does not include this type of notification.', 'Set `digest` only for included types.'],
  NO_REMOTE_POST: ['There is no copy to overwrite.', 'Use `retryDelivery`.'],
  OWN_PROFILE: ['You cannot follow yourself.', 'Nothing.'],
  POST_TAKEN: ['The copy belongs to another article.', 'Send the address of this article’s copy.'],
  RATE_LIMITED: ['Too many attempts.', 'Wait for the time in the message.'],
  SENT_AGAIN: ['The attempt to resolve is no longer the latest one. Only at the desk.', 'Reload the page.'],
  STILL_TRYING: ['The attempt is still in progress.', 'Wait for its end.'],
  STORAGE_FULL: [
    'The documents of the author use all the available storage.',
    'Delete articles, or ask the operator for a higher limit.',
  ],
  SUSPENDED: ['The account is suspended.', 'Write to the operator.'],
  THREAD_TOO_DEEP: ['The reply would be nested too deep in its thread.', 'Reply to an earlier comment.'],
  TITLE_TAKEN: ['You already have a series with this title.', 'Choose another title, or use the existing series.'],
  TOO_MANY: ['The maximum number is reached.', 'Remove an entry first.'],
  UNAUTHENTICATED: ['No session, or the password is wrong.', 'Sign in again.'],
  USERNAME_TAKEN: ['The user name, or one that looks like it, is taken or reserved.', 'Choose another user name.'],
  WEAK_PASSWORD: ['The password is too short or too common.', 'Choose a long phrase.'],
  WRONG_PASSWORD: ['The current password is wrong.', 'Enter the current password, or reset it.'],
} as const satisfies Record<string, CodeEntry>;

export type RefusalCode = keyof typeof REFUSAL_CODES;
