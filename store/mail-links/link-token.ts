/**
 * The token in a mailed link: `m1.<link id>.<HMAC-SHA256, base64url>`, signed over the row's
 * contents. The database, the outbox or a workflow's history is not enough to forge one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { LinkPurpose } from '../db/types.ts';
import { loadDerivedKey } from '../secrets/derived-keys.ts';

export interface SignedLink {
  id: string;
  purpose: LinkPurpose;
  /** Id of the user, or of the newsletter subscriber. */
  subjectId: string;
  email: string;
}

export function loadLinkKey(options: { home: string; key: string | undefined }): Promise<Buffer> {
  return loadDerivedKey(options, 'courant/mail-links/1');
}

export function signLink(key: Buffer, link: SignedLink): string {
  return `m1.${link.id}.${computeMac(key, link)}`;
}

/** The link id in a token; null if it is malformed. */
export function readLinkId(token: string): string | null {
  return TOKEN.exec(token)?.[1] ?? null;
}

export function isSignedBy(key: Buffer, token: string, link: SignedLink): boolean {
  // Compared as text: several base64url texts decode to the same bytes, and only one is valid.
  const [actual, expected] = [Buffer.from(token), Buffer.from(signLink(key, link))];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

const TOKEN = /^m1\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[0-9a-zA-Z_-]{43}$/;

function computeMac(key: Buffer, { id, purpose, subjectId, email }: SignedLink): string {
  return createHmac('sha256', key).update([purpose, id, subjectId, email].join('\n')).digest('base64url');
}
