/**
 * The token in a digest's unsubscribe link: the user's id, signed. It does not expire, since people unsubscribe from old mails too, and it
 * can only turn a digest off. Form: `u1.<user id>.<HMAC-SHA256, base64url>`.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { loadCredentialsKeys } from '../secrets/sealing.ts';

/**
 * A separate key, derived from the oldest credentials key (HKDF-SHA256): the key that signs links must not be the one that seals credentials, and
 * links in mails outlive a change of it for as long as the former key is kept.
 */
export async function loadUnsubscribeKey(options: { home: string; key: string | undefined }): Promise<Buffer> {
  const oldest = (await loadCredentialsKeys(options)).at(-1);
  if (!oldest) throw new Error('there is no credentials key');
  return deriveUnsubscribeKey(oldest);
}

export function deriveUnsubscribeKey(credentialsKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', credentialsKey, Buffer.alloc(0), 'courant/digest-unsubscribe/1', 32));
}

export function signUnsubscribe(key: Buffer, userId: string): string {
  if (!USER_ID.test(userId)) throw new TypeError('a user id has letters, digits and hyphens only');
  return `u1.${userId}.${computeMac(key, userId)}`;
}

/** The user's id, or null for a token that this key did not sign. */
export function verifyUnsubscribe(key: Buffer, token: string): string | null {
  const [, userId, given] = TOKEN.exec(token) ?? [];
  if (userId === undefined || given === undefined) return null;
  // Compared as text: several base64url texts decode to the same bytes, and only ours is valid.
  return timingSafeEqual(Buffer.from(given), Buffer.from(computeMac(key, userId))) ? userId : null;
}

const USER_ID = /^[0-9a-zA-Z-]{1,64}$/;
const TOKEN = /^u1\.([0-9a-zA-Z-]{1,64})\.([0-9a-zA-Z_-]{43})$/;

function computeMac(key: Buffer, userId: string): string {
  return createHmac('sha256', key).update(`digest-unsubscribe\n${userId}`).digest('base64url');
}
