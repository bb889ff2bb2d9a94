/**
 * One row a digest: an author and a day. The row, not the workflow, keeps it to one mail: it is marked as sending, and the
 * mark committed, before the last byte of the mail goes out, and only one attempt can set the mark.
 */

import type { Database } from '../db/database.ts';
import type { DigestState } from '../db/types.ts';
import { passDueDate } from './due-authors.ts';
import { localDate } from './rhythm.ts';

export interface DigestKey {
  userId: string;
  /** `2026-11-23`: of the moment it was due, in its author's zone. */
  date: string;
}

export type DigestOutcome =
  | { kind: 'sent' | 'gone' }
  | { kind: 'skipped' | 'unknown'; reason: string }
  | { kind: 'refused'; reason: string; of: 'recipient' | 'message' }
  /** Not sent, and not tried any more. */
  | { kind: 'failed'; reason: string };

/** Begins a digest where it is due, or finds it begun. Null: there is nothing to do, whether it was done or is not wanted. */
export async function openDigest(
  db: Database,
  key: DigestKey & { messageId: string; now: Date },
): Promise<DigestState | null> {
  const { userId, date, messageId, now } = key;
  return db.transaction().execute(async (tx) => {
    const settings = await tx
      .selectFrom('digestSettings')
      .innerJoin('users', 'users.id', 'digestSettings.userId')
      .select(['digestSettings.nextDueAt', 'digestSettings.zone', 'users.suspendedAt'])
      .where('digestSettings.userId', '=', userId)
      .forUpdate('digestSettings')
      .executeTakeFirst();
    const begun = await tx
      .selectFrom('digests')
      .select('state')
      .where('userId', '=', userId)
      .where('date', '=', date)
      .executeTakeFirst();
    if (begun) return begun.state;
    const dueAt = settings?.nextDueAt;
    const due = dueAt && dueAt <= now && localDate(dueAt, settings.zone) === date && settings.suspendedAt === null;
    if (!due) return null;
    await tx.insertInto('digests').values({ userId, date, messageId, at: now }).execute();
    return 'pending';
  });
}

/** The digest with all that its mail is made from; undefined where it, or its author, is gone. */
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

/**
 * To be committed right before the last byte goes out. Answers the number of the attempt; null where this mail must not go out: another
 * attempt was first, the author is gone or suspended, or has turned digests off at the last moment.
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

/** The server said that it did not take the mail after all: it may be sent again. Only the attempt that set the mark can say so. */
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

/** Writes what became of it and moves the due moment on. Bears being run twice; what is final stays, but unknown may yet turn out as sent. */
export async function closeDigest(
  db: Database,
  { userId, date, outcome, now }: DigestKey & { outcome: DigestOutcome; now: Date },
): Promise<DigestState | null> {
  return db.transaction().execute(async (tx) => {
    await tx.selectFrom('digestSettings').select('userId').where('userId', '=', userId).forUpdate().execute();
    const row = await tx
      .selectFrom('digests')
      .select('state')
      .where('userId', '=', userId)
      .where('date', '=', date)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return null;
    const state = finalState(row.state, outcome);
    if (state !== row.state) {
      const reason = 'reason' in outcome ? outcome.reason : null;
      await tx
        .updateTable('digests')
        .set({ state, reason, at: now })
        .where('userId', '=', userId)
        .where('date', '=', date)
        .execute();
      // One message that a server does not like says nothing of the next.
      if (outcome.kind === 'refused' && outcome.of === 'recipient') {
        await tx
          .updateTable('digestSettings')
          .set({ nextDueAt: null, stoppedAt: now, stoppedReason: reason })
          .where('userId', '=', userId)
          .where('frequency', '!=', 'off')
          .execute();
      }
    }
    await passDueDate(tx, { userId, date }, now);
    return state;
  });
}

function finalState(present: DigestState, outcome: DigestOutcome): DigestState {
  if (outcome.kind === 'gone') return present;
  if (present === 'pending' || present === 'sending') {
    // Given up, or found off, with a mail that may be on its way: nobody knows.
    const mayBeOut = present === 'sending' && (outcome.kind === 'failed' || outcome.kind === 'skipped');
    return mayBeOut ? 'unknown' : outcome.kind;
  }
  return present === 'unknown' && outcome.kind === 'sent' ? 'sent' : present;
}

/** Whether the digest of this day has ended; what is left of its workflow then says nothing new. */
export async function hasEnded(db: Database, { userId, date }: DigestKey): Promise<boolean> {
  const row = await db
    .selectFrom('digests')
    .select('state')
    .where('userId', '=', userId)
    .where('date', '=', date)
    .executeTakeFirst();
  return row !== undefined && row.state !== 'pending' && row.state !== 'sending';
}
