/** The `Idempotency-Key` header of a request, checked. */
import type { FastifyRequest } from 'fastify';
import type { IdempotencyKey } from '../../store/articles/idempotency.ts';
import { ProblemError } from '../problem.ts';

/** Null where the client sent none. Keys belong to the user: two authors may use the same. */
export function readIdempotencyKey(
  request: FastifyRequest,
  userId: string,
  requestHash: Buffer,
): IdempotencyKey | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  // The draft standard writes it as a quoted string; most clients leave the quotes out.
  const key = String(header).replace(/^"(.*)"$/, '$1');
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const detail = 'Idempotency-Key must have 1 to 255 printable ASCII characters without spaces.';
    throw new ProblemError(400, 'idempotency_key_malformed', detail);
  }
  return { userId, key, requestHash };
}
