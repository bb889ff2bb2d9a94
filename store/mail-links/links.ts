/** Links in mails. Each serves one purpose, user and address, until it is used or expires. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { DB, LinkPurpose } from '../db/types.ts';
import { loadDerivedKey } from '../secrets/sealing.ts';

export interface NewLink {
  id: string;
  purpose: LinkPurpose;
  /** Exactly one of the two ids is set. */
  userId: string | null;
  subscriberId: string | null;
  email: string;
  expiresAt: Date;
  now: Date;
}

/** A retried mail extends the expiry of its link, unless `expireLinks` has ended it. */
export async function createLink(db: Kysely<DB>, { now, ...link }: NewLink): Promise<void> {
  await db
    .insertInto('mailLinks')
    .values({ ...link, createdAt: now })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ expiresAt: link.expiresAt })
        .where('mailLinks.usedAt', 'is', null)
        .whereRef('mailLinks.expiresAt', '>', 'mailLinks.createdAt'),
    )
    .execute();
}

export interface FoundLink {
  id: string;
  userId: string | null;
  subscriberId: string | null;
  email: string;
  /** Only an `open` link has an effect. */
  state: 'open' | 'used' | 'expired';
}

/** The link of a token with this purpose; null if this key did not sign it. */
export async function findLink(
  db: Kysely<DB>,
  key: Buffer,
  { token, purpose, now }: { token: string; purpose: LinkPurpose; now: Date },
): Promise<FoundLink | null> {
  const id = readLinkId(token);
  if (id === null) return null;
  const row = await db
    .selectFrom('mailLinks')
    .select(['id', 'purpose', 'userId', 'subscriberId', 'email', 'expiresAt', 'usedAt'])
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  const subjectId = row?.userId ?? row?.subscriberId;
  if (!row || !subjectId || !isSignedBy(key, token, { ...row, subjectId })) return null;
  const { userId, subscriberId, email } = row;
  const state = row.usedAt !== null ? 'used' : row.expiresAt <= now ? 'expired' : 'open';
  return { id, userId, subscriberId, email, state };
}

/** Marks a link as used, in the transaction of its effect. False if already used or expired. */
export async function markLinkUsed(tx: Transaction<DB>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('mailLinks')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Expires the user's other links of this purpose for good: no retried mail extends them. */
export async function expireLinks(tx: Transaction<DB>, userId: string, purpose: LinkPurpose): Promise<void> {
  await tx
    .updateTable('mailLinks')
    .set((eb) => ({ expiresAt: eb.ref('createdAt') }))
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .execute();
}

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
