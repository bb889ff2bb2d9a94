/** Where no page of the desk can be made, what was written comes back with the answer: browsers forget forms of pages that are not to be kept. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { toProblem } from '../../errors/to-problem.ts';
import { renderHandedBack } from '../../pages/desk/write-handed-back.ts';
import { PAGE_POLICY } from '../../pages/layout.ts';
import { PRIVATE_HEADERS, sendPage } from '../../pages/send-page.ts';

/** Throws the error where there is nothing to hand back. */
export function handBack(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { body } = request;
  const fields = body instanceof FormData ? [...body].filter(isText) : [];
  if (!fields.some(([name, value]) => name === 'content' && value !== '')) throw error;
  const problem = toProblem(error as FastifyError, request);
  if (problem.statusCode >= 500) request.log.error({ err: error }, 'request failed');
  const headers = { ...problem.headers, ...PRIVATE_HEADERS, 'content-security-policy': PAGE_POLICY };
  return sendPage(reply, problem.statusCode, renderHandedBack(problem, fields), headers);
}

function isText(field: [string, unknown]): field is [string, string] {
  return typeof field[1] === 'string';
}
