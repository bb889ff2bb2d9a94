/**
 * Parses JSON bodies strictly: invalid UTF-8 or JSON is a 400, any other content type a 415.
 * Fastify's own parsers accept text/plain and silently replace invalid UTF-8.
 */
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { ProblemError } from './errors/problem.ts';

export const jsonBodyPlugin = fp(async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers();
  // preParsing runs after authentication and rate limit, so that this response has their headers.
  app.addHook('preParsing', async (request, _reply, payload) => {
    const encoding = request.headers['content-encoding']?.toLowerCase();
    if (encoding !== undefined && encoding !== 'identity') {
      throw new ProblemError(
        415,
        'unsupported_encoding',
        'Compressed request bodies are not supported. Send the body uncompressed.',
      );
    }
    return payload;
  });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    if (body.length === 0) throw createMalformedProblem('The body is empty; it must be a JSON object.');
    return parseJson(decodeUtf8(body));
  });
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new ProblemError(
      400,
      'malformed_utf8',
      'The body is not valid UTF-8. Save the file as UTF-8 and send it again.',
    );
  }
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw createMalformedProblem(`The body is not valid JSON: ${describePosition(error)}`);
  }
  // Harmless in this object, but in a copy of the object it can become the prototype.
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    throw createMalformedProblem('The body contains the key "__proto__", which is not allowed.');
  }
  return value;
}

/** V8's message quotes the text around the error. Returns only the position: no body is echoed. */
function describePosition(error: unknown): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec((error as Error).message) ?? [];
  return line ? `line ${line}, column ${column}.` : 'it ends too early or contains something other than JSON.';
}

function createMalformedProblem(detail: string): ProblemError {
  return new ProblemError(400, 'malformed_json', detail);
}
