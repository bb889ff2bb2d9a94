/** Links in mails: for one purpose, one person and one address, until they are used or expire. */
import type { Kysely, Transaction } from 'kysely';
import type { DB, LinkPurpose } from '../db/types.ts';
import { isSignedBy, readLinkId } from './link-token.ts';

export interface NewLink {
  id: string;
  purpose: LinkPurpose;
  /** Exactly one of the two. */
  userId: string | null;
  subscriberId: string | null;
  email: string;
  expiresAt: Date;
  now: Date;
}

/** A mail that is sent later than at its first attempt has a link that lasts as long. */
export async function openLink(db: Kysely<DB>, { now, ...link }: NewLink): Promise<void> {
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
  /** Whether it still does something. */
  state: 'open' | 'used' | 'expired';
}

/** What a token of this purpose leads to; null for one that this key did not sign. */
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

/** Uses a link up, in the transaction of what it causes. False if another request was first, or it has expired. */
export async function useUpLink(tx: Transaction<DB>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('mailLinks')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The other open links of this purpose do nothing any more. */
export async function closeLinks(tx: Transaction<DB>, userId: string, purpose: LinkPurpose, now: Date): Promise<void> {
  await tx
    .updateTable('mailLinks')
    .set({ expiresAt: now })
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .execute();
}
