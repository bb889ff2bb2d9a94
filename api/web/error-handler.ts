/** Responds to every error with a problem, or with a page where a browser requested one. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { DOCUMENTS_BUSY } from '../documents/pool.ts';
import { buildProblemBody, NO_STORE, PROBLEM_TYPE, ProblemError } from '../plugins/errors/problem.ts';
import { toProblem } from '../plugins/errors/to-problem.ts';
import { OVERLOADED } from '../plugins/overload.ts';
import { renderNotFoundPage, renderUnavailablePage } from './not-found-page.ts';
import { sendPage } from './send-page.ts';

/** Codes of requests that were rejected before they were started. */
const BUSY_CODES: ReadonlySet<string> = new Set([OVERLOADED, DOCUMENTS_BUSY]);

export const errorPlugin = fp(async (app: FastifyInstance) => {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = toProblem(error, request);
    // A log line per request would add work to an overloaded process.
    if (problem.statusCode >= 500 && !BUSY_CODES.has(problem.code)) request.log.error({ err: error }, 'request failed');
    if (problem.statusCode >= 500 && request.method === 'GET' && !isInterface(request.url)) {
      return sendPage(reply, problem.statusCode, renderUnavailablePage(), problem.headers);
    }
    return sendProblem(problem, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    if (request.method === 'GET' && !isInterface(request.url)) {
      return sendPage(reply, 404, renderNotFoundPage());
    }
    const detail = `Nothing found at ${request.method} ${request.url.split('?')[0]?.slice(0, 200)}.`;
    return sendProblem(new ProblemError(404, 'not_found', detail), request, reply);
  });
});

function sendProblem(problem: ProblemError, request: FastifyRequest, reply: FastifyReply) {
  // A string, so that the response schema of the route does not filter it.
  const body = JSON.stringify(buildProblemBody(problem, request.id));
  return reply
    .code(problem.statusCode)
    .headers({ ...NO_STORE, ...problem.headers })
    .type(PROBLEM_TYPE)
    .send(body);
}

function isInterface(url: string): boolean {
  return /^\/(api|graphql|notifications|health|\.well-known)(\/|\?|$)/.test(url);
}
