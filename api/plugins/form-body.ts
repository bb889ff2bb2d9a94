/** Form bodies, for the routes that take them: registered inside their plugin, so that all other routes stay with JSON. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ProblemError } from '../errors/problem.ts';
import { parseForm } from './parse-form.ts';

/**
 * Decoding 2 MB takes half a second, during which nobody else is served. Longer forms, of texts and
 * files, are multipart.
 */
const MAX_URLENCODED_BYTES = 128 * 1024;

/** Takes both encodings of a form (RFC 8058 requires both); other bodies are a 415. */
export const formBodyPlugin = fp(async (app: FastifyInstance, options: { bodyLimit: number }) => {
  app.removeAllContentTypeParsers();
  for (const [type, bodyLimit] of [
    ['application/x-www-form-urlencoded', Math.min(options.bodyLimit, MAX_URLENCODED_BYTES)],
    ['multipart/form-data', options.bodyLimit],
  ] as const) {
    app.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit }, (request: FastifyRequest, body: Buffer) =>
      parseForm(request.headers['content-type'] ?? '', body),
    );
  }
  app.addContentTypeParser('*', async () => {
    throw new ProblemError(415, 'unsupported_media_type', 'Send the body as a form.');
  });
});
