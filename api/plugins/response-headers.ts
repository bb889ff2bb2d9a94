/** Headers of every response: its request's id, and a policy that allows nothing. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/** Nothing may be sniffed, run, loaded or framed. Pages send their own policy. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

export const REQUEST_ID_HEADER = 'x-request-id';
const ID_PATTERN = /^[\w.:-]{8,64}$/;

/**
 * Proxies and clients may send an id to find a request in several logs. A malformed one is
 * replaced, because the id goes into logs and headers.
 */
export function chooseRequestId({ headers }: { headers: NodeJS.Dict<string | string[]> }): string {
  const id = headers[REQUEST_ID_HEADER];
  return typeof id === 'string' && ID_PATTERN.test(id) ? id : randomUUID();
}

export const responseHeadersPlugin = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...SECURITY_HEADERS, [REQUEST_ID_HEADER]: request.id });
  });
});
