/**
 * Verifies a request's token as Ghost does: known key, signature, audience, and age of at most five
 * minutes.
 */
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { findOwner, type GhostSite } from '../accounts.ts';
import type { SandboxResponse } from '../exchange.ts';
import { buildGhostError } from './errors.ts';

const MAX_AGE_S = 5 * 60;

/** Null if the token is valid. */
export async function refuseToken({ keys }: GhostSite, header: string, now: Date): Promise<SandboxResponse | null> {
  if (header === '') {
    const context = 'Unable to determine the authenticated user or integration.';
    return buildGhostError(403, { type: 'NoPermissionError', message: 'Authorization failed', context });
  }
  const [, token] = /^ghost (\S+)$/i.exec(header) ?? [];
  if (token === undefined) {
    return refuse('INVALID_AUTH_HEADER', 'Authorization header format is "Authorization: Ghost [token]"');
  }
  const kid = readKeyId(token);
  if (kid === null) {
    return buildGhostError(400, { type: 'BadRequestError', message: 'Invalid token', code: 'INVALID_JWT' });
  }
  const secret = findOwner(keys, kid);
  if (secret === undefined) return refuse('UNKNOWN_ADMIN_API_KEY', 'Unknown Admin API Key');
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secret, 'hex'), {
      algorithms: ['HS256'],
      audience: '/admin/',
      currentDate: now,
      requiredClaims: ['exp', 'iat'],
    });
    // Not checked by jose, which refuses a token issued in the future; Ghost's library does not.
    const age = now.getTime() / 1000 - (payload.iat ?? 0);
    return age > MAX_AGE_S ? refuse('INVALID_JWT', 'Invalid token: maxAge exceeded') : null;
  } catch (error) {
    return refuse('INVALID_JWT', `Invalid token: ${(error as Error).message}`);
  }
}

function readKeyId(token: string): string | null {
  try {
    return decodeProtectedHeader(token).kid ?? null;
  } catch {
    // Not a token.
    return null;
  }
}

function refuse(code: string, message: string): SandboxResponse {
  return buildGhostError(401, { type: 'UnauthorizedError', message, code });
}
