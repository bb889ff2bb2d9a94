/**
 * Checks a request before GraphQL parses it. Rejections are problem responses, not GraphQL
 * responses.
 */
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../plugins/errors/problem.ts';

/** Rejects GET and text/plain, which pages of other sites can send without a preflight request. */
export function requireJsonPost(request: FastifyRequest): void {
  const detail = 'GraphQL accepts only POST with Content-Type: application/json.';
  if (request.method !== 'POST') {
    throw new ProblemError(405, 'method_not_allowed', detail, { headers: { allow: 'POST' } });
  }
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new ProblemError(400, 'post_json', detail);
}

/** Checks the parameters of GraphQL over HTTP. Throws a 400 that names every invalid one. */
export function checkParameters(body: unknown): void {
  if (!isObject(body))
    throw new ProblemError(
      400,
      'malformed_request',
      'The body must be a JSON object with query. Batches are not supported.',
    );
  const { query, operationName, variables, extensions } = body;
  const errors = [
    ...(typeof query === 'string' && query !== ''
      ? []
      : [{ path: 'query', message: 'must be a GraphQL document, as a string' }]),
    ...(operationName == null || typeof operationName === 'string'
      ? []
      : [{ path: 'operationName', message: 'must be a string' }]),
    ...(variables == null || isObject(variables) ? [] : [{ path: 'variables', message: 'must be an object' }]),
    ...(extensions == null || isObject(extensions) ? [] : [{ path: 'extensions', message: 'must be an object' }]),
  ];
  if (errors.length === 0) return;
  throw new ProblemError(400, 'malformed_request', 'Some parameters of the request are invalid. See errors.', {
    errors,
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
