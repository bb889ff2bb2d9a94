/** Builds Ghost's errors. */
import type { SandboxResponse } from '../exchange.ts';

interface Details {
  type: string;
  message: string;
  context?: string;
  code?: string;
}

export function buildGhostError(status: number, { context, code, ...details }: Details): SandboxResponse {
  const error = { ...details, context: context ?? null, code: code ?? null, id: crypto.randomUUID() };
  return { status, body: { errors: [error] } };
}

export function buildValidationError(context: string, status = 422): SandboxResponse {
  const message = 'Validation error, cannot save post.';
  return buildGhostError(status, { type: 'ValidationError', message, context });
}

export function buildPostNotFound(): SandboxResponse {
  const message = 'Resource not found error, cannot read post.';
  return buildGhostError(404, { type: 'NotFoundError', message, context: 'Post not found.' });
}

export function buildCollision(): SandboxResponse {
  const message = 'Saving failed! Someone else is editing this post.';
  return buildGhostError(409, { type: 'UpdateCollisionError', message, context: message, code: 'UPDATE_COLLISION' });
}

/** Ghost's response for the status of a fault. */
export function buildDefaultFailure(status: number): SandboxResponse {
  const types: Record<number, [type: string, message: string]> = {
    400: ['BadRequestError', 'The request could not be understood.'],
    401: ['UnauthorizedError', 'Unknown Admin API Key'],
    403: ['NoPermissionError', 'You do not have permission to perform this action'],
    404: ['NotFoundError', 'Resource not found'],
    413: ['RequestEntityTooLargeError', 'The request is too large.'],
    422: ['ValidationError', 'Validation error, cannot save post.'],
    429: ['TooManyRequestsError', 'Too many requests.'],
    503: ['MaintenanceError', 'Ghost is in maintenance mode.'],
  };
  if (status === 409) return buildCollision();
  const [type, message] = types[status] ?? ['InternalServerError', 'An unexpected error occurred, please try again.'];
  const failure = buildGhostError(status, { type, message });
  return status === 429 ? { ...failure, headers: { 'retry-after': '30' } } : failure;
}
