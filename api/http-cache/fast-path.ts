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
import { chooseCoding } from './encodings.ts';
import { matchVersion } from './preconditions.ts';
import { findRequestHeadProblem } from './request-head.ts';
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
  if (match) response.writeHead(304, encoded.notModified[match].list).end();
  else response.writeHead(encoded.status, encoded.head.list).end(encoded.body);
  return true;
}
