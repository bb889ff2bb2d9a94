/** Turns every error into an answer: ours, Fastify's, those of plugins and of the database, and unexpected ones. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { isStackOverflow } from '../../article/errors.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import { DATABASE_UNREACHABLE, describeInternalError, TOO_DEEP } from '../errors/messages.ts';
import { buildProblemBody, PROBLEM_TYPE, ProblemError } from '../errors/problem.ts';
import { describeRefusedCommand } from '../errors/refused-command.ts';
import { renderNotFoundPage, renderUnavailablePage } from '../pages/not-found-page.ts';

export const errorPlugin = fp(async (app: FastifyInstance) => {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = toProblem(error, request);
    if (problem.statusCode >= 500) request.log.error({ err: error }, 'request failed');
    if (problem.statusCode >= 500 && request.method === 'GET' && !isInterface(request.url)) {
      return reply.code(problem.statusCode).headers(problem.headers).type(HTML).send(renderUnavailablePage());
    }
    return sendProblem(problem, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    if (request.method === 'GET' && !isInterface(request.url)) {
      return reply.code(404).type(HTML).send(renderNotFoundPage());
    }
    const detail = `There is nothing at ${request.method} ${request.url.split('?')[0]?.slice(0, 200)}.`;
    return sendProblem(new ProblemError(404, 'not_found', detail), request, reply);
  });
});

const HTML = 'text/html; charset=utf-8';

function sendProblem(problem: ProblemError, request: FastifyRequest, reply: FastifyReply) {
  // As a string, so that the route's response schema does not filter it.
  const body = JSON.stringify(buildProblemBody(problem, request.id));
  return reply.code(problem.statusCode).headers(problem.headers).type(PROBLEM_TYPE).send(body);
}

function toProblem(error: FastifyError, request: FastifyRequest): ProblemError {
  if (error instanceof ProblemError) return error;
  const refusal = describeRefusedCommand(error);
  if (refusal) return refusal.problem;
  if (error.validation) return toValidationProblem(error);
  const known = BY_CODE[error.code];
  if (known) return new ProblemError(...known);
  if (isStackOverflow(error)) return new ProblemError(400, 'too_deep', TOO_DEEP);
  if (isDatabaseUnavailable(error)) {
    return new ProblemError(503, 'database_unavailable', DATABASE_UNREACHABLE, { headers: { 'retry-after': '5' } });
  }
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new ProblemError(status, 'bad_request', error.message);
  return new ProblemError(500, 'internal_error', describeInternalError(request.id));
}

const BY_CODE: Record<string, [status: number, code: string, detail: string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupported_media_type', 'Send the body as Content-Type: application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body_too_large', 'The request body is over the limit; content may have 1 MiB.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    'content_length_mismatch',
    'The body is not as long as Content-Length says.',
  ],
};

function toValidationProblem(error: FastifyError): ProblemError {
  const errors = (error.validation ?? []).map(({ instancePath, message, params }) => {
    const missing = typeof params.missingProperty === 'string' ? `/${params.missingProperty}` : '';
    const path = `${instancePath}${missing}`.replace(/^\//, '').replaceAll('/', '.') || 'body';
    return { path, message: message ?? 'is not valid' };
  });
  return new ProblemError(422, 'invalid_request', 'Some fields of the request are not valid; see errors.', { errors });
}

function isInterface(url: string): boolean {
  return /^\/(api|graphql|notifications|health|\.well-known)(\/|\?|$)/.test(url);
}
