/**
 * JSON bodies, strictly: valid UTF-8 and valid JSON or a 400, nothing but JSON or a 415. Fastify's own parsers would take
 * text/plain and would replace broken UTF-8 silently.
 */
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { ProblemError } from '../errors/problem.ts';

export const jsonBodyPlugin = fp(async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers();
  // After the hooks that authenticate and limit, so that this answer carries their headers too.
  app.addHook('preParsing', async (request, _reply, payload) => {
    const encoding = request.headers['content-encoding']?.toLowerCase();
    if (encoding !== undefined && encoding !== 'identity') {
      throw new ProblemError(
        415,
        'unsupported_encoding',
        'Compressed request bodies are not taken; send it uncompressed.',
      );
    }
    return payload;
  });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    if (body.length === 0) throw malformed('The body is empty; it must be a JSON object.');
    return parseJson(decode(body));
  });
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(body: Buffer): string {
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
    throw malformed(`The body is not valid JSON: ${describe(error)}`);
  }
  // As an own key it does no harm by itself, but it has no business here and copies of it might.
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    throw malformed('The body holds the key "__proto__", which is not taken.');
  }
  return value;
}

/** V8 quotes the text around the place; the place is enough, and no part of the body is echoed. */
function describe(error: unknown): string {
  const position = /at position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec((error as Error).message);
  if (position?.[2]) return `line ${position[2]}, column ${position[3]}.`;
  return position ? `character ${position[1]}.` : 'it ends too early or holds something that is no JSON.';
}

function malformed(detail: string): ProblemError {
  return new ProblemError(400, 'malformed_json', detail);
}
