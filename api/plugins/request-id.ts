/**
 * Assigns each request an id, which its response, its problem and its log lines contain. Proxies
 * and clients may send one to find a request in several logs. A malformed one is replaced, because
 * the id goes into logs and headers.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

export const REQUEST_ID_HEADER = 'x-request-id';
const ID_PATTERN = /^[\w.:-]{8,64}$/;

export function chooseRequestId({ headers }: { headers: NodeJS.Dict<string | string[]> }): string {
  const id = headers[REQUEST_ID_HEADER];
  return typeof id === 'string' && ID_PATTERN.test(id) ? id : randomUUID();
}

export const requestIdPlugin = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id);
  });
});
