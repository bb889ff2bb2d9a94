/** The public half of the signing key, so that others can check session tokens (RFC 7517). */
import type { FastifyInstance } from 'fastify';
import type { SigningKey } from '../auth/signing-key.ts';

export async function keySetRoutes(app: FastifyInstance, { key }: { key: SigningKey }) {
  app.get('/.well-known/jwks.json', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300');
    return { keys: [key.publicJwk] };
  });
}
