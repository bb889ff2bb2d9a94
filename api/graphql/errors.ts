/**
 * The codes of GraphQL errors (`extensions.code`). A code that is missing here does not compile.
 */
import { GraphQLError } from 'graphql';
import type { CodeEntry } from '../../article/notice-codes.ts';
import type { RejectionCode } from '../../destinations/rejection-codes.ts';
import type { RefusalCode } from '../../store/commands/refusal-codes.ts';

/** Codes of the endpoint itself. Commands add those of `REFUSAL_CODES`. */
export const GRAPHQL_CODES = {
  BAD_CURSOR: ['A cursor is malformed or belongs to another list.', 'Read the list again without `after`.'],
  BAD_SYNTAX: ['The document is JSON, not GraphQL.', 'Send the document as a GraphQL string in `query`.'],
  DATABASE_UNAVAILABLE: [
    'The database is unreachable. Nothing was changed, unless the message reports a lost connection.',
    'Try again in a moment.',
  ],
  INTERNAL_SERVER_ERROR: ['An internal error.', 'Report the request id in the message.'],
  INTROSPECTION_OFF: ['Introspection requires a session.', 'Sign in, or read `schema.graphql`.'],
  TOO_COSTLY: ['The document exceeds the cost limit of one request.', 'Request fewer entries or fields at once.'],
  TOO_DEEP: ['The document is nested too deep.', 'Split the document into several requests.'],
  TOO_LARGE: ['The document or its response is too large.', 'Split the document into several requests.'],
  TOO_SLOW: [
    'The request took too long. Fields that had not started by then were not executed.',
    'Request less at once. Check the results of mutations before you repeat them.',
  ],
} as const satisfies Record<string, CodeEntry>;

/** `connectDestination` returns the rejections of destinations in upper case. */
export type ErrorCode = keyof typeof GRAPHQL_CODES | RefusalCode | Uppercase<RejectionCode>;

/** An error for the client: `code` for programs, the message for people. */
export function createGraphqlError(code: ErrorCode, message: string, more: Record<string, unknown> = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...more } });
}

/** BAD_INPUT with every invalid field. */
export function createInputError(errors: readonly { path: string; message: string }[]): GraphQLError {
  const text = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return createGraphqlError('BAD_INPUT', text, { errors });
}
