/** Verifies a request's token as Ghost does: known key, signature, audience, and no older than five minutes. */
import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { SandboxContext } from '../context.ts';
import type { Answer } from '../faults.ts';
import { ghostError } from './errors.ts';

const MAX_AGE_S = 5 * 60;

/** Null where the token is good. */
export async function refuseToken(sandbox: SandboxContext, header: string | undefined): Promise<Answer | null> {
  if (header === undefined || header === '') {
    const context = 'Unable to determine the authenticated user or integration.';
    return ghostError(403, { type: 'NoPermissionError', message: 'Authorization failed', context });
  }
  const [scheme, token, ...rest] = header.split(' ');
  if (scheme?.toLowerCase() !== 'ghost' || !token || rest.length > 0) {
    return unauthorized('Authorization header format is "Authorization: Ghost [token]"', 'INVALID_AUTH_HEADER');
  }
  const kid = readKeyId(token);
  if (kid === null) return ghostError(400, { type: 'BadRequestError', message: 'Invalid token', code: 'INVALID_JWT' });
  const secret = Object.hasOwn(sandbox.ghostKeys, kid) ? sandbox.ghostKeys[kid] : undefined;
  if (secret === undefined) return unauthorized('Unknown Admin API Key', 'UNKNOWN_ADMIN_API_KEY');
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secret, 'hex'), {
      algorithms: ['HS256'],
      audience: ['/admin/', '/admin', 'admin/', 'admin'],
      currentDate: sandbox.now(),
      requiredClaims: ['exp', 'iat'],
    });
    // By hand: jose holds a token from the future against it, the library that Ghost uses does not.
    const age = sandbox.now().getTime() / 1000 - (payload.iat ?? 0);
    return age > MAX_AGE_S ? unauthorized('Invalid token: maxAge exceeded', 'INVALID_JWT') : null;
  } catch (error) {
    return unauthorized(`Invalid token: ${reasonOf(error)}`, 'INVALID_JWT');
  }
}

function readKeyId(token: string): string | null {
  try {
    return decodeProtectedHeader(token).kid ?? null;
  } catch {
    // No token at all.
    return null;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'jwt expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'aud' ? 'jwt audience invalid. expected: /\\/?admin\\/?$/' : `jwt ${error.claim} invalid`;
  }
  return 'invalid signature';
}

function unauthorized(message: string, code: string): Answer {
  return ghostError(401, { type: 'UnauthorizedError', message, code });
}
