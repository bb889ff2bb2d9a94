/** Signs Ghost's tokens with an Admin API key, which is an id and a secret. */
import { SignJWT } from 'jose';

/** Ghost accepts no longer lifetime. */
const LIFETIME_S = 5 * 60;

export interface AdminKey {
  id: string;
  /** Decoded from hexadecimal. Ghost refuses tokens signed with the text of the secret. */
  secret: Uint8Array;
}

/** The two parts of `<24 hex>:<64 hex>`, or null for anything else. */
export function readAdminKey(key: string): AdminKey | null {
  const [, id, secret] = /^([0-9a-f]{24}):([0-9a-f]{64})$/i.exec(key.trim()) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret: Buffer.from(secret, 'hex') };
}

export function signToken(key: AdminKey, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key.id })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_S)
    .setAudience('/admin/')
    .sign(key.secret);
}
