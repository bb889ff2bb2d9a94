/**
 * Responds to requests that reach no route: unreadable URLs, invalid heads, and bytes that are not
 * HTTP. Echoes nothing of them.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { chooseRequestId, REQUEST_ID_HEADER, SECURITY_HEADERS } from '../response-headers.ts';
import { buildProblemBody, NO_STORE, PROBLEM_TYPE, ProblemError } from './problem.ts';
import type { ProblemCode } from './problem-codes.ts';

const HEADERS = { ...SECURITY_HEADERS, ...NO_STORE };

/** A URL with an invalid escape, or one that is too long. */
export function sendFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const isTooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH' || error.statusCode === 414;
  const problem = isTooLong
    ? new ProblemError(404, 'not_found', 'Nothing found: the URL of the request is too long.')
    : new ProblemError(400, 'bad_address', 'The URL of the request is malformed.');
  reply
    .code(problem.statusCode)
    .headers(HEADERS)
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(buildProblemBody(problem, request.id)));
}

/** Closes the connection: the bytes that follow could be interpreted differently than intended. */
export function sendRawProblem(problem: ProblemError, request: IncomingMessage, response: ServerResponse): void {
  const requestId = chooseRequestId(request);
  const body = JSON.stringify(buildProblemBody(problem, requestId));
  rejectedSockets.add(request.socket);
  response
    .writeHead(problem.statusCode, {
      ...HEADERS,
      [REQUEST_ID_HEADER]: requestId,
      'content-type': PROBLEM_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    .end(body);
}

/** Sockets that already have a response. Further bytes on them that are not HTTP get none. */
const rejectedSockets = new WeakSet<Socket>();

const BY_CODE: Record<string, [status: number, code: ProblemCode, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
};

export function sendClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  if (rejectedSockets.has(socket)) return;
  const known = BY_CODE[error.code ?? ''] ?? [400, 'bad_request', 'The bytes received are not a valid HTTP request.'];
  const problem = new ProblemError(...known);
  const content = buildProblemBody(problem, randomUUID());
  const { status, title } = content;
  const body = JSON.stringify(content);
  const headers = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\n${headers.join('')}content-type: ${PROBLEM_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `connection: close\r\n\r\n${body}`,
  );
}
