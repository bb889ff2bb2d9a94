/** Session, stream and export tokens: JWTs signed with one key. Their audience keeps them apart, so neither is accepted as the other. */
import { errors, jwtVerify, SignJWT } from 'jose';
import type { SigningKey } from './signing-key.ts';

export type Audience = 'courant:session' | 'courant:stream' | 'courant:export';

/** Short for all: a stream token only has to open the stream, an export's to begin the download. */
export const LIFETIME_S: Record<Audience, number> = {
  'courant:session': 60 * 60,
  'courant:stream': 5 * 60,
  'courant:export': 5 * 60,
};
/** How much the clocks of API instances may differ. */
const LEEWAY_S = 10;

export interface Sessions {
  issue(audience: Audience, userId: string): Promise<string>;
  /** The user's id; null where the token is expired, foreign, forged or meant for something else. */
  verify(audience: Audience, token: string): Promise<string | null>;
}

export function createSessions(key: SigningKey, options: { issuer: string; now: () => Date }): Sessions {
  return {
    issue(audience, userId) {
      const issuedAt = Math.floor(options.now().getTime() / 1000);
      return new SignJWT()
        .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'JWT' })
        .setSubject(userId)
        .setAudience(audience)
        .setIssuer(options.issuer)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + LIFETIME_S[audience])
        .sign(key.privateKey);
    },
    async verify(audience, token) {
      try {
        const { payload } = await jwtVerify(token, key.publicKey, {
          algorithms: ['ES256'],
          audience,
          issuer: options.issuer,
          clockTolerance: LEEWAY_S,
          currentDate: options.now(),
          requiredClaims: ['sub', 'exp', 'iat'],
        });
        return payload.sub ?? null;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
