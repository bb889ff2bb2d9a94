/**
 * The token in an unsubscribe link: `<kind>.<id>.<HMAC-SHA256, base64url>`. It does not expire, since
 * people unsubscribe from old mails too, and it can only unsubscribe.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { loadDerivedKey } from '../secrets/sealing.ts';

/** The prefix and the signed purpose. The id is a user's, or that of a newsletter subscription. */
const KINDS = { digest: ['u1', 'digest-unsubscribe'], newsletter: ['n1', 'newsletter-leave'] } as const;

export type Unsubscription = keyof typeof KINDS;

export function loadUnsubscribeKey(options: { home: string; key: string | undefined }): Promise<Buffer> {
  return loadDerivedKey(options, 'courant/digest-unsubscribe/1');
}

export function signUnsubscribe(key: Buffer, kind: Unsubscription, id: string): string {
  if (!ID.test(id)) throw new TypeError('an id has letters, digits and hyphens only');
  const [prefix, purpose] = KINDS[kind];
  return `${prefix}.${id}.${createHmac('sha256', key).update(`${purpose}\n${id}`).digest('base64url')}`;
}

/** The id; null if this key did not sign the token for this purpose. */
export function verifyUnsubscribe(key: Buffer, kind: Unsubscription, token: string): string | null {
  const id = token.split('.')[1] ?? '';
  if (!ID.test(id)) return null;
  // Compared as text: several base64url texts decode to the same bytes, and only one is valid.
  const [actual, expected] = [Buffer.from(token), Buffer.from(signUnsubscribe(key, kind, id))];
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? id : null;
}

const ID = /^[0-9a-zA-Z-]{1,64}$/;
