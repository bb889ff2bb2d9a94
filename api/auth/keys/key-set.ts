/**
 * Publishes the public signing keys (RFC 7517), so that other services can verify session tokens.
 */
import type { FastifyInstance } from 'fastify';
import type { KeyRing } from './key-ring.ts';

export async function keySetRoutes(app: FastifyInstance, { keyRing }: { keyRing: KeyRing }) {
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300');
    return { keys: keyRing.publicKeys };
  });
}
