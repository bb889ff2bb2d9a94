/** Converts any error to a problem: our own, Fastify's, those of plugins and of the database. */
import type { FastifyError, FastifyRequest } from 'fastify';
import { isStackOverflow } from '../../../article/errors.ts';
import { isDatabaseUnavailable } from '../../../store/db/pg-errors.ts';
import { describeDatabaseFailure, describeInternalError, TOO_DEEP } from './messages.ts';
import { ProblemError } from './problem.ts';
import { describeRefusedCommand } from './refused-command.ts';

export function toProblem(error: FastifyError, request: FastifyRequest): ProblemError {
  if (error instanceof ProblemError) return error;
  const refusal = describeRefusedCommand(error);
  if (refusal) return refusal.problem;
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

const BY_CODE: Record<string, [status: number, code: string, detail: string]> = {
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
