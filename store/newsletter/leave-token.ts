/**
 * The token in the link that leaves a newsletter: the subscription's id, signed. It does not expire, since people leave by old mails too, and it
 * can do nothing else. The key is that of the digest's links (`loadUnsubscribeKey`); what is signed says what for, so a token of one is none of
 * the other. Form: `n1.<subscription id>.<HMAC-SHA256, base64url>`.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from '../db/valid-keys.ts';

export function signLeave(key: Buffer, subscriptionId: string): string {
  if (!isUuid(subscriptionId)) throw new TypeError('a subscription has a UUID');
  return `n1.${subscriptionId}.${computeMac(key, subscriptionId)}`;
}

/** The subscription's id, or null for a token that this key did not sign. */
export function verifyLeave(key: Buffer, token: string): string | null {
  const [, id, given] = TOKEN.exec(token) ?? [];
  if (id === undefined || given === undefined) return null;
  // Compared as text: several base64url texts decode to the same bytes, and only ours is valid.
  return timingSafeEqual(Buffer.from(given), Buffer.from(computeMac(key, id))) ? id : null;
}

const TOKEN = /^n1\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-zA-Z_-]{43})$/;

function computeMac(key: Buffer, subscriptionId: string): string {
  return createHmac('sha256', key).update(`newsletter-leave\n${subscriptionId}`).digest('base64url');
}
