/**
 * Authenticates requests with developer tokens. A missing, malformed, unknown, revoked or expired
 * token is a 401.
 */
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { createSuspendedError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { countHit, type Hits } from '../../store/rate-limits/counters.ts';
import { TOKEN_PATTERN, type TokenOwner, useToken } from '../../store/tokens/developer-tokens.ts';
import { ProblemError } from '../plugins/errors/problem.ts';
import { readBearer } from './bearer.ts';
import { MINUTE_MS } from './limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes behind `authenticateToken`. */
    tokenOwner: (TokenOwner & { uses: Hits }) | null;
  }
}

/**
 * Per client address. Failures count by address only, so that they neither use up the limit of a
 * valid token nor create a counter for every invented token.
 */
const FAILURES_PER_MINUTE = 60;

export function authenticateToken(db: Database, now: () => Date): onRequestAsyncHookHandler {
  return async (request) => {
    const token = readBearer(request.headers.authorization);
    const use = { now: now(), windowMs: MINUTE_MS };
    const owner = token !== null && TOKEN_PATTERN.test(token) ? await useToken(db, token, use) : null;
    if (!owner) throw await refuse(db, request, token !== null);
    request.tokenOwner = owner;
  };
}

/** Runs after the rate limiter, so that the response contains its headers. */
export const refuseSuspended: onRequestAsyncHookHandler = async (request) => {
  if (getTokenOwner(request).suspended) throw createSuspendedError();
};

export function getTokenOwner(request: FastifyRequest): TokenOwner & { uses: Hits } {
  if (!request.tokenOwner) throw new Error('the route is not behind authenticateToken');
  return request.tokenOwner;
}

async function refuse(db: Database, request: FastifyRequest, hasToken: boolean): Promise<ProblemError> {
  const { current, ttl } = await countHit(db, `refused:${request.ip}`, MINUTE_MS);
  if (current > FAILURES_PER_MINUTE) {
    const headers = { 'retry-after': String(Math.ceil(ttl / 1000)) };
    return new ProblemError(429, 'too_many_refusals', 'Too many requests with invalid tokens.', { headers });
  }
  const challenge = hasToken ? 'Bearer realm="courant", error="invalid_token"' : 'Bearer realm="courant"';
  const detail = hasToken
    ? 'The token is unknown, revoked or expired. Create a new one in your settings.'
    : 'Send a developer token: Authorization: Bearer courant_…';
  return new ProblemError(401, hasToken ? 'invalid_token' : 'missing_token', detail, {
    headers: { 'www-authenticate': challenge },
  });
}
