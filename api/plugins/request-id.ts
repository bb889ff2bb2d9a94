/**
 * Each request has an id, which is in its answer, in the problem that it ends with, and in every line of the log about it. A proxy or a client
 * may give one, to find its request in several logs; what is not plainly an id is replaced, because it goes into logs and headers.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

export const REQUEST_ID_HEADER = 'x-request-id';
const ID = /^[\w.:-]{8,64}$/;

export function chooseRequestId({ headers }: { headers: NodeJS.Dict<string | string[]> }): string {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && ID.test(given) ? given : randomUUID();
}

export const requestIdPlugin = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id);
  });
});
