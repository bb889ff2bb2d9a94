/**
 * The shortest way of an answer that is kept: it is sent before the framework routes the request, since finding the route, its hooks and its
 * schema would take longer than all the rest. What is not simply there goes the usual way.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { FastifyServerFactory } from 'fastify';
import { answerFault } from '../plugins/errors/framework-errors.ts';
import { chooseCoding } from './encodings.ts';
import { matchVersion } from './preconditions.ts';
import type { KeptAnswers } from './cached-responses.ts';
import { findFault } from './request-head.ts';

export interface FrontDoor {
  serverFactory: FastifyServerFactory;
  /** How many answers it has sent. */
  readonly served: number;
  /** The server is about to end: the framework sees to it that connections do. */
  close(): void;
}

export function createFrontDoor(
  kept: KeptAnswers,
  timeouts: { keepAliveTimeout: number; requestTimeout: number },
): FrontDoor {
  let isOpen = true;
  let served = 0;
  return {
    serverFactory(handle, options) {
      // A request without a host is refused below, like those with a wrong one; Node would say nothing but 400.
      const http = { ...(options as { http: ServerOptions }).http, requireHostHeader: false };
      const server = createServer(http, (request, response) => {
        const fault = findFault(request);
        if (fault) return answerFault(fault, request, response);
        const serve = () => {
          if (isOpen && serveKept(kept, request, response)) served += 1;
          else (handle as RequestListener)(request, response);
        };
        if (kept.settling && isRead(request)) void kept.settling.then(serve);
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

function serveKept(kept: KeptAnswers, request: IncomingMessage, response: ServerResponse): boolean {
  if (!isRead(request)) return false;
  const { url = '', headers } = request;
  const form = kept.getAt(url, headers.accept)?.getForm(chooseCoding(headers['accept-encoding']));
  if (!form) return false;
  const match = form.validators && matchVersion(headers, form.validators);
  if (match) response.writeHead(304, form.notModified[match].list).end();
  else response.writeHead(form.status, form.head.list).end(form.body);
  return true;
}
