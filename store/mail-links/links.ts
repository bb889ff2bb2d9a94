/** Links in mails. Each serves one purpose, user and address, until it is used or expires. */
import type { Kysely, Transaction } from 'kysely';
import type { DB, LinkPurpose } from '../db/types.ts';
import { isSignedBy, readLinkId } from './link-token.ts';

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

/** A retried mail extends the expiry of its link. */
export async function createLink(db: Kysely<DB>, { now, ...link }: NewLink): Promise<void> {
  await db
    .insertInto('mailLinks')
    .values({ ...link, createdAt: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ expiresAt: link.expiresAt }).where('mailLinks.usedAt', 'is', null),
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

/** Expires the user's other open links of this purpose. */
export async function expireLinks(tx: Transaction<DB>, userId: string, purpose: LinkPurpose, now: Date): Promise<void> {
  await tx
    .updateTable('mailLinks')
    .set({ expiresAt: now })
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .execute();
}
