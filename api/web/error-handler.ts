/** Turns every error into an answer: ours, Fastify's, those of plugins and of the database, and unexpected ones. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { buildProblemBody, KEPT_BY_NOBODY, PROBLEM_TYPE, ProblemError } from '../plugins/errors/problem.ts';
import { toProblem } from '../plugins/errors/to-problem.ts';
import { renderNotFoundPage, renderUnavailablePage } from './not-found-page.ts';
import { sendPage } from './send-page.ts';
import { DOCUMENTS_BUSY } from '../documents/publish-queue.ts';
import { OVERLOADED } from '../plugins/overload.ts';

/** At once, without having been begun. */
const REFUSED: ReadonlySet<string> = new Set([OVERLOADED, DOCUMENTS_BUSY]);

export const errorPlugin = fp(async (app: FastifyInstance) => {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = toProblem(error, request);
    // One line a request would be more work for who has too much of it.
    if (problem.statusCode >= 500 && !REFUSED.has(problem.code)) request.log.error({ err: error }, 'request failed');
    if (problem.statusCode >= 500 && request.method === 'GET' && !isInterface(request.url)) {
      return sendPage(reply, problem.statusCode, renderUnavailablePage(), problem.headers);
    }
    return sendProblem(problem, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    if (request.method === 'GET' && !isInterface(request.url)) {
      return sendPage(reply, 404, renderNotFoundPage());
    }
    const detail = `There is nothing at ${request.method} ${request.url.split('?')[0]?.slice(0, 200)}.`;
    return sendProblem(new ProblemError(404, 'not_found', detail), request, reply);
  });
});

function sendProblem(problem: ProblemError, request: FastifyRequest, reply: FastifyReply) {
  // As a string, so that the route's response schema does not filter it.
  const body = JSON.stringify(buildProblemBody(problem, request.id));
  return reply
    .code(problem.statusCode)
    .headers({ ...KEPT_BY_NOBODY, ...problem.headers })
    .type(PROBLEM_TYPE)
    .send(body);
}

function isInterface(url: string): boolean {
  return /^\/(api|graphql|notifications|health|\.well-known)(\/|\?|$)/.test(url);
}
