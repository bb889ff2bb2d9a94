/**
 * The token that unsubscribes from a newsletter: `n1.<subscription id>.<HMAC-SHA256, base64url>`.
 * Does not expire, since people use old mails. Shares its key with `loadUnsubscribeKey`; the signed
 * text has a prefix, so neither accepts the other's tokens.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from '../db/valid-keys.ts';

export function signNewsletterToken(key: Buffer, subscriptionId: string): string {
  if (!isUuid(subscriptionId)) throw new TypeError('a subscription has a UUID');
  return `n1.${subscriptionId}.${computeMac(key, subscriptionId)}`;
}

/** The subscription's id; null if this key did not sign the token. */
export function verifyNewsletterToken(key: Buffer, token: string): string | null {
  const [, id, mac] = TOKEN.exec(token) ?? [];
  if (id === undefined || mac === undefined) return null;
  // Compared as text: several base64url texts decode to the same bytes, and only one is valid.
  return timingSafeEqual(Buffer.from(mac), Buffer.from(computeMac(key, id))) ? id : null;
}

const TOKEN = /^n1\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-zA-Z_-]{43})$/;

function computeMac(key: Buffer, subscriptionId: string): string {
  return createHmac('sha256', key).update(`newsletter-leave\n${subscriptionId}`).digest('base64url');
}
