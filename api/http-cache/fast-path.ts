/**
 * Cache fast path: sends cached responses before the framework routes the request, because route
 * lookup, hooks and schemas take longer than the rest. Other requests go to the framework.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { FastifyServerFactory } from 'fastify';
import { sendRawProblem } from '../plugins/errors/framework-errors.ts';
import { ProblemError } from '../plugins/errors/problem.ts';
import { chooseCoding } from './encodings.ts';
import { matchVersion } from './preconditions.ts';
import type { ResponseCache } from './response-cache.ts';

export interface CacheFastPath {
  serverFactory: FastifyServerFactory;
  /** Number of responses sent. */
  readonly served: number;
  /** For shutdown: passes all requests to the framework, which then closes their connections. */
  close(): void;
}

export function createCacheFastPath(
  cache: ResponseCache,
  timeouts: { keepAliveTimeout: number; requestTimeout: number },
): CacheFastPath {
  let isOpen = true;
  let served = 0;
  return {
    serverFactory(handle, options) {
      // `findRequestHeadProblem` rejects a missing Host header. Node's own check would send a 400
      // without a body.
      const http = { ...(options as { http: ServerOptions }).http, requireHostHeader: false };
      const server = createServer(http, (request, response) => {
        const problem = findRequestHeadProblem(request);
        if (problem) return sendRawProblem(problem, request, response);
        const serve = () => {
          if (isOpen && serveCached(cache, request, response)) served += 1;
          else (handle as RequestListener)(request, response);
        };
        if (cache.pendingAnnouncements && isRead(request)) void cache.pendingAnnouncements.then(serve);
        else serve();
      });
      return Object.assign(server, timeouts);
    },
    get served() {
      return served;
    },
    close() {
      isOpen = false;
    },
  };
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function serveCached(cache: ResponseCache, request: IncomingMessage, response: ServerResponse): boolean {
  if (!isRead(request)) return false;
  const { url = '', headers } = request;
  const encoded = cache.getByUrl(url, headers.accept)?.getEncoded(chooseCoding(headers['accept-encoding']));
  if (!encoded) return false;
  const match = encoded.validators && matchVersion(headers, encoded.validators);
  if (match) response.writeHead(304, encoded.notModified[match]).end();
  else response.writeHead(encoded.status, encoded.headers).end(encoded.body);
  return true;
}

/**
 * Rejects heads that Node's parser accepts although HTTP forbids them: a proxy and this server may
 * interpret them differently. Runs for every request, also before a cached response.
 */
function findRequestHeadProblem(request: IncomingMessage): ProblemError | null {
  return findHostProblem(request) ?? findTransferCodingProblem(request);
}

/**
 * RFC 9112 §3.2: exactly one Host header, optional in HTTP/1.0. `headers.host` has only the first
 * of several, so the raw headers are counted.
 */
function findHostProblem({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): ProblemError | null {
  if (host === undefined) return httpVersion === '1.0' ? null : refuseHost('The request has no Host header.');
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return refuseHost('The request has more than one Host header.');
  return HOST.test(host) ? null : refuseHost('The Host header of the request is not a valid host.');
}

/**
 * RFC 3986 §3.2.2 and an optional port. May be empty (RFC 9112 §3.2): some load balancers send an
 * empty Host in their health checks.
 */
const HOST = /^(?:\[[\da-f:.v~%_-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

function refuseHost(detail: string): ProblemError {
  return new ProblemError(400, 'bad_host', detail);
}

/** RFC 9112 §6.1. Node decodes `chunked`, but leaves other codings inside it undecoded. */
function findTransferCodingProblem({ headers, httpVersion }: IncomingMessage): ProblemError | null {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (httpVersion === '1.0')
    return new ProblemError(400, 'bad_request', 'HTTP/1.0 does not support Transfer-Encoding.');
  // If `chunked` is not the last coding, the parser rejects the request.
  if (!/,[ \t]*chunked$/i.test(coding)) return null;
  const detail = 'The only supported transfer coding is chunked.';
  return new ProblemError(501, 'unknown_transfer_coding', detail);
}
