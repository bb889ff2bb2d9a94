/** Form bodies, for the routes that take them: registered inside their plugin, so that all other routes stay with JSON. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ProblemError } from '../errors/problem.ts';

/** Takes both encodings of a form (RFC 8058 asks for both), read by the runtime's own parser; other bodies are a 415. */
export const formBodyPlugin = fp(async (app: FastifyInstance, options: { bodyLimit: number }) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/x-www-form-urlencoded', 'multipart/form-data'],
    { parseAs: 'buffer', bodyLimit: options.bodyLimit },
    async (request: FastifyRequest, body: Buffer) => {
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      try {
        return await new Response(new Uint8Array(body), { headers }).formData();
      } catch {
        // The parser's message would not help a client.
        throw new ProblemError(400, 'malformed_form', 'The body is not the form that its Content-Type says.');
      }
    },
  );
  app.addContentTypeParser('*', async () => {
    throw new ProblemError(415, 'unsupported_media_type', 'Send the body as a form.');
  });
});
