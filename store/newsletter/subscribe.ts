/**
 * The newsletter of an author: whoever gives an address is a subscriber once its owner has confirmed it by the mail that goes there, and until they
 * leave. Nothing here tells whether an address was known before.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { DB } from '../db/types.ts';
import { canBeName } from '../db/valid-keys.ts';

export interface Subscription {
  id: string;
  /** As it was given first. */
  email: string;
  isConfirmed: boolean;
}

/**
 * The row of an address that was given for an author's newsletter: new, or the one that it has. It is no subscriber by that. Throws NOT_FOUND for an
 * author whom there is not.
 */
export async function findOrAddSubscription(
  tx: Transaction<DB>,
  { username, email, now }: { username: string; email: string; now: Date },
): Promise<Subscription> {
  const author = canBeName(username)
    ? await tx
        .selectFrom('users')
        .select('id')
        .where('username', '=', username.toLowerCase())
        .where('suspendedAt', 'is', null)
        .where('deletedAt', 'is', null)
        .executeTakeFirst()
    : undefined;
  if (!author) throw new RefusedCommandError('NOT_FOUND', 'There is no author with this user name.', 'username');
  await tx
    .insertInto('newsletterSubscribers')
    .values({ authorId: author.id, email, createdAt: now })
    // Asked for anew: what nobody confirms is forgotten some time after it was last asked for.
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
    .where('authorId', '=', author.id)
    .where((eb) => eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(email)])))
    .executeTakeFirstOrThrow();
  return { id: row.id, email: row.email, isConfirmed: row.confirmedAt !== null };
}

/** Its owner has agreed. Returns the author's user name; undefined where the subscription is gone. Confirmed already, it keeps its first time. */
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

/**
 * Leaves at once: as if the address had never been confirmed, so that only its owner can bring it back, and else it is forgotten. Idempotent; does
 * nothing where the row is gone.
 */
export async function leaveNewsletter(db: Kysely<DB>, id: string, now: Date): Promise<void> {
  await db
    .updateTable('newsletterSubscribers')
    .set({ unsubscribedAt: now, confirmedAt: null })
    .where('id', '=', id)
    .where('unsubscribedAt', 'is', null)
    .execute();
}

const UNCONFIRMED_DAYS = 30;

/** In one statement, which holds no lock for long; the next sweep goes on. */
const BATCH = 5_000;

/** Addresses that somebody gave and nobody confirmed. */
export async function sweepUnconfirmed(db: Kysely<DB>, now: Date): Promise<void> {
  const end = new Date(now.getTime() - UNCONFIRMED_DAYS * 24 * 60 * 60_000);
  const old = db
    .selectFrom('newsletterSubscribers')
    .select('id')
    .where('confirmedAt', 'is', null)
    .where('createdAt', '<', end)
    .limit(BATCH);
  // Asked again of each row: one may be confirmed meanwhile.
  await db.deleteFrom('newsletterSubscribers').where('id', 'in', old).where('confirmedAt', 'is', null).execute();
}
