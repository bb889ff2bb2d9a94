/**
 * Newsletter subscriptions. An address becomes a subscriber when its owner confirms it by mail, and
 * stays one until they unsubscribe. No result reveals whether an address was known before.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DB } from '../db/types.ts';
import { requireAuthorId } from '../users/find-user.ts';

export interface Subscription {
  id: string;
  /** As it was first entered. */
  email: string;
  isConfirmed: boolean;
}

/** Finds or adds an unconfirmed row. Throws NOT_FOUND if there is no such author. */
export async function findOrAddSubscription(
  tx: Transaction<DB>,
  { username, email, now }: { username: string; email: string; now: Date },
): Promise<Subscription> {
  const authorId = await requireAuthorId(tx, username);
  await tx
    .insertInto('newsletterSubscribers')
    .values({ authorId, email, createdAt: now })
    // Restarts the period after which an unconfirmed address is deleted.
    .onConflict((conflict) =>
      conflict
        .expression(sql`author_id, lower(email)`)
        .doUpdateSet({ createdAt: now })
        .where('newsletterSubscribers.confirmedAt', 'is', null),
    )
    .execute();
  const row = await tx
    .selectFrom('newsletterSubscribers')
    .select(['id', 'email', 'confirmedAt'])
    .where('authorId', '=', authorId)
    .where((eb) => eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(email)])))
    .executeTakeFirstOrThrow();
  return { id: row.id, email: row.email, isConfirmed: row.confirmedAt !== null };
}

/** Returns the author's user name, undefined if the row is gone. The first time stays. */
export async function confirmSubscription(db: Kysely<DB>, id: string, now: Date): Promise<string | undefined> {
  const row = await db
    .updateTable('newsletterSubscribers as subscriber')
    .from('users')
    .set((eb) => ({ confirmedAt: eb.fn.coalesce('subscriber.confirmedAt', eb.val(now)), unsubscribedAt: null }))
    .whereRef('users.id', '=', 'subscriber.authorId')
    .where('subscriber.id', '=', id)
    .returning('users.username')
    .executeTakeFirst();
  return row?.username;
}

/** The address counts as never confirmed: only its owner can restore it. Idempotent. */
export async function unsubscribeReader(db: Kysely<DB>, id: string, now: Date): Promise<void> {
  await db
    .updateTable('newsletterSubscribers')
    .set({ unsubscribedAt: now, confirmedAt: null })
    .where('id', '=', id)
    .where('unsubscribedAt', 'is', null)
    .execute();
}
