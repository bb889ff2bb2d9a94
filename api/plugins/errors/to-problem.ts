/**
 * Converts any error to a problem: our own, Fastify's, those of plugins and of the database. GraphQL
 * uses the same messages.
 */
import type { FastifyError, FastifyRequest } from 'fastify';
import { isStackOverflow } from '../../../article/errors.ts';
import type { RefusalCode } from '../../../store/commands/refusal-codes.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { isConnectionLost, isDatabaseUnavailable } from '../../../store/db/pg-errors.ts';
import { ProblemError } from './problem.ts';
import type { ProblemCode } from './problem-codes.ts';

export function toProblem(error: FastifyError, request: FastifyRequest): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof RefusedCommandError) return toRefusalProblem(error);
  if (error.validation) return toValidationProblem(error);
  const known = BY_CODE[error.code];
  if (known) return new ProblemError(...known);
  if (isStackOverflow(error)) return new ProblemError(400, 'too_deep', TOO_DEEP);
  if (isDatabaseUnavailable(error)) {
    return new ProblemError(503, 'database_unavailable', describeDatabaseFailure(error), {
      headers: { 'retry-after': '5' },
    });
  }
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new ProblemError(status, 'bad_request', error.message);
  return new ProblemError(500, 'internal_error', describeInternalError(request.id));
}

const BY_CODE: Record<string, [status: number, code: ProblemCode, detail: string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupported_media_type', 'Send the body as Content-Type: application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body_too_large', 'The request body is too large. The limit for content is 1 MiB.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    'content_length_mismatch',
    'The length of the body does not match Content-Length.',
  ],
};

function toValidationProblem(error: FastifyError): ProblemError {
  const errors = (error.validation ?? []).map(({ instancePath, message, params }) => {
    const missing = typeof params.missingProperty === 'string' ? `/${params.missingProperty}` : '';
    const path = `${instancePath}${missing}`.replace(/^\//, '').replaceAll('/', '.') || 'body';
    return { path, message: message ?? 'is invalid' };
  });
  return new ProblemError(422, 'invalid_request', 'Some fields of the request are invalid. See errors.', { errors });
}

export function toRefusalProblem({ code, message, field }: RefusedCommandError): ProblemError {
  const [status, problemCode] = PROBLEMS[code] ?? [409, code.toLowerCase() as Lowercase<RefusalCode>];
  return new ProblemError(status, problemCode, message, {
    errors: field === undefined ? [] : [{ path: field, message }],
  });
}

/** Codes with another spelling in REST, or with a status other than 409, or than 422 for a page. */
export const PROBLEMS: Partial<Record<RefusedCommandError['code'], [status: number, code: ProblemCode]>> = {
  NOT_FOUND: [404, 'not_found'],
  SUSPENDED: [403, 'author_suspended'],
  EMAIL_NOT_CONFIRMED: [403, 'email_not_confirmed'],
  UNAUTHENTICATED: [401, 'unauthenticated'],
  RATE_LIMITED: [429, 'rate_limited'],
  ALREADY_MADE: [409, 'already_made'],
  CONNECTION_CHANGED: [409, 'connection_changed'],
  STORAGE_FULL: [403, 'storage_full'],
};

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
