/** Parses form bodies. Registered in the plugin of its routes: other routes accept only JSON. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ProblemError } from './errors/problem.ts';
import { parseMultipart, parseUrlencoded } from './parse-form.ts';

interface FormBodyOptions {
  /** In bytes. */
  bodyLimit: number;
  /**
   * Only for forms with texts and files, and for mail programs (RFC 8058): it takes five times as
   * long to parse as the other encoding.
   */
  takesMultipart?: boolean;
}

/** Decoding blocks all other requests. Longer forms (with texts or files) must be multipart. */
const MAX_URLENCODED_BYTES = 128 * 1024;

/** Accepts urlencoded and, with `takesMultipart`, multipart forms. Other bodies are a 415. */
export const formBodyPlugin = fp(async (app: FastifyInstance, { bodyLimit, takesMultipart }: FormBodyOptions) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: Math.min(bodyLimit, MAX_URLENCODED_BYTES) },
    (_request: FastifyRequest, body: Buffer) => parseUrlencoded(body),
  );
  if (takesMultipart) {
    app.addContentTypeParser(
      'multipart/form-data',
      { parseAs: 'buffer', bodyLimit },
      (request: FastifyRequest, body: Buffer) => parseMultipart(request.headers['content-type'] ?? '', body),
    );
  }
  app.addContentTypeParser('*', async () => {
    const types = `application/x-www-form-urlencoded${takesMultipart ? ' or multipart/form-data' : ''}`;
    throw new ProblemError(415, 'unsupported_media_type', `Send the body as ${types}.`);
  });
});
