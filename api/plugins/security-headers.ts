/**
 * Default headers of every response: no sniffing, and nothing may be run, loaded or framed. Pages
 * send their own policy.
 */
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

export const securityHeadersPlugin = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(SECURITY_HEADERS);
  });
});
