/**
 * One row per author and day. The row ensures that at most one mail is sent: the mark `sending` is
 * committed before the last byte of the mail goes out, and only one attempt can set it.
 */
import { findLocalDate } from '../calendar/days.ts';
import type { Database } from '../db/database.ts';
import type { DigestState } from '../db/types.ts';
import { type FinalMailOutcome, resolveMailState } from '../mails/outcome.ts';
import { moveDueDate } from './due-date.ts';

export interface DigestKey {
  userId: string;
  /** `2026-11-23`: the due day in the author's zone. */
  date: string;
}

export type DigestOutcome = FinalMailOutcome;

/** The digest with its author and settings; undefined if the digest or the author is gone. */
export function loadDigest(db: Database, { userId, date }: DigestKey) {
  return db
    .selectFrom('digests')
    .innerJoin('users', 'users.id', 'digests.userId')
    .innerJoin('digestSettings', 'digestSettings.userId', 'digests.userId')
    .select(['digests.state', 'digests.messageId', 'digests.reason'])
    .select(['users.id', 'users.name', 'users.username', 'users.email', 'users.suspendedAt'])
    .select(['digestSettings.frequency', 'digestSettings.zone', 'digestSettings.sendEmpty', 'digestSettings.stoppedAt'])
    .where('digests.userId', '=', userId)
    .where('digests.date', '=', date)
    .executeTakeFirst();
}

/** Whether the digest of this day has ended, independent of its workflow. */
export async function hasEnded(db: Database, { userId, date }: DigestKey): Promise<boolean> {
  const row = await db
    .selectFrom('digests')
    .select('state')
    .where('userId', '=', userId)
    .where('date', '=', date)
    .executeTakeFirst();
  return row !== undefined && row.state !== 'pending' && row.state !== 'sending';
}

/**
 * Commit it directly before the last byte goes out. Returns the attempt's number, or null if the
 * mail must not be sent: another attempt was first, the author is gone or suspended, or digests are
 * off.
 */
export async function markSending(db: Database, { userId, date }: DigestKey, now: Date): Promise<number | null> {
  const row = await db
    .updateTable('digests')
    .set((eb) => ({ state: 'sending', attempts: eb('attempts', '+', 1), at: now }))
    .where('userId', '=', userId)
    .where('date', '=', date)
    .where('state', '=', 'pending')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('digestSettings')
          .innerJoin('users', 'users.id', 'digestSettings.userId')
          .select('digestSettings.userId')
          .whereRef('digestSettings.userId', '=', 'digests.userId')
          .where('digestSettings.frequency', '!=', 'off')
          .where('digestSettings.stoppedAt', 'is', null)
          .where('users.suspendedAt', 'is', null),
      ),
    )
    .returning('attempts')
    .executeTakeFirst();
  return row?.attempts ?? null;
}

/** Removes the mark of this attempt after a rejection, so that the mail can be retried. */
export async function unmarkSending(db: Database, { userId, date }: DigestKey, attempt: number): Promise<void> {
  await db
    .updateTable('digests')
    .set({ state: 'pending' })
    .where('userId', '=', userId)
    .where('date', '=', date)
    .where('state', '=', 'sending')
    .where('attempts', '=', attempt)
    .execute();
}

/** Returns the state of the digest, which starts now if it is due. Null if it is not due. */
export async function beginDigestRow(
  db: Database,
  key: DigestKey & { messageId: string; now: Date },
): Promise<DigestState | null> {
  const { userId, date, messageId, now } = key;
  return db.transaction().execute(async (tx) => {
    const settings = await tx
      .selectFrom('digestSettings')
      .innerJoin('users', 'users.id', 'digestSettings.userId')
      .select(['digestSettings.nextDueAt', 'digestSettings.zone', 'digestSettings.frequency', 'users.suspendedAt'])
      .where('digestSettings.userId', '=', userId)
      .forUpdate('digestSettings')
      .executeTakeFirst();
    const existing = await tx
      .selectFrom('digests')
      .select(['date', 'state'])
      .where('userId', '=', userId)
      .where((eb) => eb.or([eb('date', '=', date), eb('state', 'in', ['pending', 'sending'])]))
      .execute();
    const sameDay = existing.find((digest) => digest.date === date);
    if (sameDay) return sameDay.state;
    // One digest at a time: another digest that has not ended is resumed first.
    if (existing.length > 0 || !settings?.nextDueAt || settings.frequency === 'off') return null;
    const { nextDueAt: dueAt, frequency, zone, suspendedAt } = settings;
    if (dueAt > now || findLocalDate(dueAt, zone) !== date || suspendedAt !== null) return null;
    await tx.insertInto('digests').values({ userId, date, messageId, dueAt, frequency, at: now }).execute();
    return 'pending';
  });
}

/** Idempotent. A final state does not change, except that `unknown` may become `sent`. */
export async function closeDigest(
  db: Database,
  { userId, date, outcome, now }: DigestKey & { outcome: DigestOutcome; now: Date },
): Promise<DigestState | null> {
  return db.transaction().execute(async (tx) => {
    const settings = await tx
      .selectFrom('digestSettings')
      .select('unclearRefusals')
      .where('userId', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    const row = await tx
      .selectFrom('digests')
      .select('state')
      .where('userId', '=', userId)
      .where('date', '=', date)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return null;
    const state = resolveMailState(row.state, outcome);
    if (state !== row.state) {
      const reason = 'reason' in outcome ? outcome.reason : null;
      await tx
        .updateTable('digests')
        .set({ state, reason, at: now })
        .where('userId', '=', userId)
        .where('date', '=', date)
        .execute();
      const unclearRefusals = countUnclear(settings?.unclearRefusals ?? 0, outcome);
      await tx.updateTable('digestSettings').set({ unclearRefusals }).where('userId', '=', userId).execute();
      // A server that refuses one message may accept the next, so only a refused recipient stops
      // the digests.
      if (outcome.kind === 'refused' && (outcome.cause === 'recipient' || unclearRefusals >= MAX_UNCLEAR_REFUSALS)) {
        await tx
          .updateTable('digestSettings')
          .set({ nextDueAt: null, stoppedAt: now, stoppedReason: reason })
          .where('userId', '=', userId)
          .where('frequency', '!=', 'off')
          .execute();
      }
    }
    await moveDueDate(tx, userId, now);
    return state;
  });
}

/** Some servers refuse without a code for temporary reasons, but not for two digests in a row. */
const MAX_UNCLEAR_REFUSALS = 2;

/** A sent mail resets the count. Refused and unsent ones prove nothing about the mailbox. */
function countUnclear(before: number, outcome: DigestOutcome): number {
  if (outcome.kind === 'sent') return 0;
  return outcome.kind === 'refused' && outcome.cause === 'unclear' ? before + 1 : before;
}
