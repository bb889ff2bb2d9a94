/**
 * Issues and verifies the JWTs of a session. The audience separates access, cookie, stream and
 * export tokens, so that none is accepted as another.
 */
import { errors, jwtVerify, SignJWT } from 'jose';
import type { KeyRing } from './keys/key-ring.ts';

export type Audience = 'courant:session' | 'courant:cookie' | 'courant:stream' | 'courant:export';

/** Short where the token is in a URL: it only has to open a stream or start a download. */
const LIFETIME_S: Record<Audience, number> = {
  'courant:session': 60 * 60,
  // Every request checks the session, so the cookie is rejected once the session ends.
  'courant:cookie': 30 * 24 * 60 * 60,
  'courant:stream': 5 * 60,
  'courant:export': 5 * 60,
};
/** Tolerated clock difference between API instances. */
const LEEWAY_S = 10;

/** The session of a token. `store/sessions/session-status.ts` checks whether it is still open. */
export interface SessionOwner {
  userId: string;
  sessionId: string;
}

export interface Sessions {
  issue(audience: Audience, owner: SessionOwner): Promise<{ token: string; expiresAt: Date }>;
  /**
   * Returns null for a token that is expired, forged, of another site or audience, or without
   * `sid`.
   */
  verify(audience: Audience, token: string): Promise<SessionOwner | null>;
}

export function createSessions(keys: KeyRing, options: { issuer: string; now: () => Date }): Sessions {
  return {
    async issue(audience, { userId, sessionId }) {
      const issuedAt = Math.floor(options.now().getTime() / 1000);
      const expiresAt = issuedAt + LIFETIME_S[audience];
      const token = await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'ES256', kid: keys.signing.kid, typ: 'JWT' })
        .setSubject(userId)
        .setAudience(audience)
        .setIssuer(options.issuer)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(keys.signing.key);
      return { token, expiresAt: new Date(expiresAt * 1000) };
    },
    async verify(audience, token) {
      try {
        const { payload } = await jwtVerify(token, keys.verifying, {
          algorithms: ['ES256'],
          audience,
          issuer: options.issuer,
          clockTolerance: LEEWAY_S,
          // Also rejects tokens that were issued in the future.
          maxTokenAge: LIFETIME_S[audience],
          currentDate: options.now(),
          requiredClaims: ['sub', 'sid', 'exp'],
        });
        const { sub, sid } = payload;
        return sub !== undefined && typeof sid === 'string' ? { userId: sub, sessionId: sid } : null;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
