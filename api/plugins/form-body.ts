/** Parses form bodies. Registered in the plugin of its routes: other routes accept only JSON. */
import { Busboy } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ProblemError } from './errors/problem.ts';

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

/** Real forms have about 30 fields. */
const MAX_FIELDS = 1_000;
/** Multipart parsing is slower, so its limit is lower. */
const MAX_MULTIPART_FIELDS = 50;
/** Per part. A path of 255 characters needs 765 bytes; decoding takes about 200 ns per byte. */
const MAX_HEADER_BYTES = 2 * 1024;

/** Throws a 413 for too many fields. */
export async function parseUrlencoded(body: Buffer): Promise<FormData> {
  const text = body.toString();
  // Separators are counted first: URLSearchParams takes 1 µs for each field.
  const hasTooMany = text.split('&', MAX_FIELDS + 2).length > MAX_FIELDS + 1;
  const fields = hasTooMany ? [] : [...new URLSearchParams(text)];
  if (hasTooMany || fields.length > MAX_FIELDS) throw createTooManyFieldsProblem(MAX_FIELDS);
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

/** Throws a 400 for a body that does not match its Content-Type, and a 413 for too many fields. */
export async function parseMultipart(contentType: string, body: Buffer): Promise<FormData> {
  try {
    return await collectParts(contentType, body);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    // The parser's message would not help a client.
    throw new ProblemError(
      400,
      'malformed_form',
      'The body does not match its Content-Type, so nothing was changed. Send application/x-www-form-urlencoded or multipart/form-data.',
    );
  }
}

function collectParts(contentType: string, body: Buffer): Promise<FormData> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
      // The body is in memory, so nothing may pause: after a pause in a part that it skips, the
      // parser never finishes. No field can be longer than the body.
      fileHwm: body.length + 1,
      limits: {
        ...{ parts: MAX_MULTIPART_FIELDS, headerSize: MAX_HEADER_BYTES },
        ...{ fieldSize: body.length, fileSize: body.length },
      },
    });
    parser.on('field', (name: string | undefined, value) => {
      if (name !== undefined) form.append(name, value);
    });
    parser.on('file', (name: string | undefined, file, fileName, _encoding, type) => {
      const chunks: Buffer<ArrayBuffer>[] = [];
      file.on('data', (chunk: Buffer<ArrayBuffer>) => chunks.push(chunk));
      file.on('error', reject);
      file.on('end', () => {
        if (name !== undefined) form.append(name, new File(chunks, fileName, { type }));
      });
    });
    parser.on('partsLimit', () => reject(createTooManyFieldsProblem(MAX_MULTIPART_FIELDS)));
    parser.on('error', reject);
    parser.on('finish', () => resolve(form));
    parser.end(body);
  });
}

function createTooManyFieldsProblem(limit: number): ProblemError {
  const detail = `The form has more than ${limit} fields. Nothing was changed. Send fewer fields.`;
  return new ProblemError(413, 'too_many_fields', detail);
}
