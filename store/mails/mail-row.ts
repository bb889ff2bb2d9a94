/** One row per mail ensures that at most one is sent, as for digests (`digests/digest-row.ts`). */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { MailState } from '../db/types.ts';
import { type FinalMailOutcome, resolveMailState } from './outcome.ts';

/** Undefined if gone. A mail with an address only gets the account of that address, if any. */
export function loadMail(db: Database, id: string) {
  return db
    .selectFrom('mails')
    .leftJoin('users', (join) =>
      join.on((eb) =>
        eb.or([
          eb('users.id', '=', eb.ref('mails.userId')),
          eb.and([
            eb('mails.userId', 'is', null),
            eb('mails.subscriberId', 'is', null),
            eb(eb.fn('lower', ['users.email']), '=', eb.fn('lower', ['mails.email'])),
          ]),
        ]),
      ),
    )
    .leftJoin('newsletterSubscribers as subscriber', 'subscriber.id', 'mails.subscriberId')
    .leftJoin('users as author', 'author.id', 'subscriber.authorId')
    .select(['mails.id', 'mails.kind', 'mails.state', 'mails.reason', 'mails.createdAt'])
    .select(['users.id as userId', 'users.name', 'users.username', 'users.email', 'users.suspendedAt'])
    .select('users.emailConfirmedAt')
    .select(['subscriber.id as subscriberId', 'subscriber.email as subscriberEmail', 'subscriber.confirmedAt'])
    .select('author.username as authorUsername')
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('mails as later')
            .select('later.id')
            .where(sql<boolean>`lower(later.email) = lower(mails.email)`)
            .whereRef('later.kind', '=', 'mails.kind')
            .whereRef('later.subscriberId', 'is not distinct from', 'mails.subscriberId')
            .where(sql<boolean>`(later.created_at, later.id) > (mails.created_at, mails.id)`),
        )
        .as('superseded'),
    )
    .where('mails.id', '=', id)
    .executeTakeFirst();
}

export type LoadedMail = NonNullable<Awaited<ReturnType<typeof loadMail>>>;

/** Commit it before the last byte. Returns the attempt's number; null if another was first. */
export async function markMail(db: Database, id: string, now: Date): Promise<number | null> {
  const row = await db
    .updateTable('mails')
    .set((eb) => ({ state: 'sending', attempts: eb('attempts', '+', 1), at: now }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('attempts')
    .executeTakeFirst();
  return row?.attempts ?? null;
}

/** Removes the mark after the server rejected the mail. Only for the attempt that set it. */
export async function unmarkMail(db: Database, id: string, attempt: number): Promise<void> {
  await db
    .updateTable('mails')
    .set({ state: 'pending' })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('attempts', '=', attempt)
    .execute();
}

/** Records the outcome and returns the state; null if the mail is gone. Idempotent. */
export async function recordMailOutcome(
  db: Database,
  { id, outcome, now }: { id: string; outcome: FinalMailOutcome; now: Date },
): Promise<MailState | null> {
  return db.transaction().execute(async (tx) => {
    const row = await tx.selectFrom('mails').select('state').where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row) return null;
    const state = resolveMailState(row.state, outcome);
    if (state !== row.state) {
      const reason = 'reason' in outcome ? outcome.reason : null;
      await tx.updateTable('mails').set({ state, reason, at: now }).where('id', '=', id).execute();
    }
    return state;
  });
}

/** After a restore, open mails may have been sent, so they are not sent again. */
export async function markOpenMailsUnknown(db: Database, reason: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set({ state: 'unknown', reason, at: now })
    .where('state', 'in', ['pending', 'sending'])
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
