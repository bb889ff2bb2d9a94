/** Builds Ghost's errors. */
import type { SandboxResponse } from '../faults.ts';

interface Details {
  type: string;
  message: string;
  context?: string;
  code?: string;
}

export function buildGhostError(status: number, { type, message, context, code }: Details): SandboxResponse {
  const error = { message, context: context ?? null, type, details: null, property: null, help: null };
  return {
    status,
    body: { errors: [{ ...error, code: code ?? null, id: crypto.randomUUID(), ghostErrorCode: null }] },
  };
}

export function buildValidationError(context: string, verb = 'save'): SandboxResponse {
  return buildGhostError(422, { type: 'ValidationError', message: `Validation error, cannot ${verb} post.`, context });
}

export function buildPostNotFound(verb: string): SandboxResponse {
  const message = `Resource not found error, cannot ${verb} post.`;
  return buildGhostError(404, { type: 'NotFoundError', message, context: 'Post not found.' });
}

/** For an unknown endpoint: Ghost assumes that the client was written for another version. */
export function buildEndpointNotFound(acceptVersion: unknown): SandboxResponse {
  const message = 'Request could not be served, the endpoint was not found.';
  const context = `Provided client accept-version ${String(acceptVersion)} is behind current Ghost version v6.65.`;
  return buildGhostError(406, { type: 'RequestNotAcceptableError', message, context, code: 'UPDATE_CLIENT' });
}

/** Ghost's response for the status of a fault. */
export function buildDefaultResponse(status: number): SandboxResponse {
  const types: Record<number, [type: string, message: string]> = {
    400: ['BadRequestError', 'The request could not be understood.'],
    401: ['UnauthorizedError', 'Unknown Admin API Key'],
    403: ['NoPermissionError', 'You do not have permission to perform this action'],
    404: ['NotFoundError', 'Resource not found'],
    409: ['UpdateCollisionError', 'Saving failed! Someone else is editing this post.'],
    413: ['RequestEntityTooLargeError', 'The request is too large.'],
    422: ['ValidationError', 'Validation error, cannot save post.'],
    429: ['TooManyRequestsError', 'Too many requests.'],
    503: ['MaintenanceError', 'Ghost is in maintenance mode.'],
  };
  const [type, message] = types[status] ?? ['InternalServerError', 'An unexpected error occurred, please try again.'];
  const answer = buildGhostError(status, { type, message });
  return status === 429 ? { ...answer, headers: { 'retry-after': '30' } } : answer;
}
