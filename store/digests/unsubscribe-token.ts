/**
 * The signed token in a digest's unsubscribe link: `u1.<user id>.<HMAC-SHA256, base64url>`. It does
 * not expire, since people unsubscribe from old mails too. It can only turn a digest off.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, loadDerivedKey } from '../secrets/derived-keys.ts';

const PURPOSE = 'courant/digest-unsubscribe/1';

export function loadUnsubscribeKey(options: { home: string; key: string | undefined }): Promise<Buffer> {
  return loadDerivedKey(options, PURPOSE);
}

export function deriveUnsubscribeKey(credentialsKey: Buffer): Buffer {
  return deriveKey(credentialsKey, PURPOSE);
}

export function signUnsubscribe(key: Buffer, userId: string): string {
  if (!USER_ID.test(userId)) throw new TypeError('a user id has letters, digits and hyphens only');
  return `u1.${userId}.${computeMac(key, userId)}`;
}

/** The user's id; null if this key did not sign the token. */
export function verifyUnsubscribe(key: Buffer, token: string): string | null {
  const [, userId, mac] = TOKEN.exec(token) ?? [];
  if (userId === undefined || mac === undefined) return null;
  // Compared as text: several base64url texts decode to the same bytes, and only one is valid.
  return timingSafeEqual(Buffer.from(mac), Buffer.from(computeMac(key, userId))) ? userId : null;
}

const USER_ID = /^[0-9a-zA-Z-]{1,64}$/;
const TOKEN = /^u1\.([0-9a-zA-Z-]{1,64})\.([0-9a-zA-Z_-]{43})$/;

function computeMac(key: Buffer, userId: string): string {
  return createHmac('sha256', key).update(`digest-unsubscribe\n${userId}`).digest('base64url');
}
