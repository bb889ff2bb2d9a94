/** Tokens of a session, in a header or a cookie, for its streams and for an export: JWTs. Their audience keeps them apart, so none is accepted as another. */
import { errors, jwtVerify, SignJWT } from 'jose';
import type { KeyRing } from './key-ring.ts';

export type Audience = 'courant:session' | 'courant:cookie' | 'courant:stream' | 'courant:export';

/** Short for all that travel: a stream token only has to open the stream, an export's to begin the download. */
const LIFETIME_S: Record<Audience, number> = {
  'courant:session': 60 * 60,
  // It ends with its session, which every request looks up.
  'courant:cookie': 30 * 24 * 60 * 60,
  'courant:stream': 5 * 60,
  'courant:export': 5 * 60,
};
/** How much the clocks of API instances may differ. */
const LEEWAY_S = 10;

/** Whose token it is. Whether that session is still open, the database says (`store/sessions/standing.ts`). */
export interface SessionOwner {
  userId: string;
  sessionId: string;
}

export interface Sessions {
  issue(audience: Audience, owner: SessionOwner): Promise<{ token: string; expiresAt: Date }>;
  /** Null where the token is expired, foreign, forged, of before there were sessions, or meant for something else. */
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
          // One that was issued in the future is refused too.
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
