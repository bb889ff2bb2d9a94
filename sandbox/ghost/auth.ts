/**
 * Verifies a request's token as Ghost does: known key, signature, audience, and age of at most five
 * minutes.
 */
import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { GhostContext } from '../context.ts';
import type { SandboxResponse } from '../faults.ts';
import { buildGhostError } from './errors.ts';

const MAX_AGE_S = 5 * 60;

/** Null if the token is valid. */
export async function refuseToken(sandbox: GhostContext, header: string | undefined): Promise<SandboxResponse | null> {
  if (header === undefined || header === '') {
    const context = 'Unable to determine the authenticated user or integration.';
    return buildGhostError(403, { type: 'NoPermissionError', message: 'Authorization failed', context });
  }
  const [scheme, token, ...rest] = header.split(' ');
  if (scheme?.toLowerCase() !== 'ghost' || !token || rest.length > 0) {
    return buildUnauthorized('Authorization header format is "Authorization: Ghost [token]"', 'INVALID_AUTH_HEADER');
  }
  const kid = readKeyId(token);
  if (kid === null)
    return buildGhostError(400, { type: 'BadRequestError', message: 'Invalid token', code: 'INVALID_JWT' });
  const secret = Object.hasOwn(sandbox.site.keys, kid) ? sandbox.site.keys[kid] : undefined;
  if (secret === undefined) return buildUnauthorized('Unknown Admin API Key', 'UNKNOWN_ADMIN_API_KEY');
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secret, 'hex'), {
      algorithms: ['HS256'],
      audience: ['/admin/', '/admin', 'admin/', 'admin'],
      currentDate: sandbox.now(),
      requiredClaims: ['exp', 'iat'],
    });
    // Not checked by jose, which refuses a token issued in the future; Ghost's library does not.
    const age = sandbox.now().getTime() / 1000 - (payload.iat ?? 0);
    return age > MAX_AGE_S ? buildUnauthorized('Invalid token: maxAge exceeded', 'INVALID_JWT') : null;
  } catch (error) {
    return buildUnauthorized(`Invalid token: ${describeReason(error)}`, 'INVALID_JWT');
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

function describeReason(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'jwt expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'aud' ? 'jwt audience invalid. expected: /\\/?admin\\/?$/' : `jwt ${error.claim} invalid`;
  }
  return 'invalid signature';
}

function buildUnauthorized(message: string, code: string): SandboxResponse {
  return buildGhostError(401, { type: 'UnauthorizedError', message, code });
}
