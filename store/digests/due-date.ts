/** The date of the digest that is due, and moving it on: past an outage or a suspension, after a change of the rhythm, and after a digest has ended. */
import type { Kysely } from 'kysely';
import { findLocalDate } from '../../calendar/days.ts';
import { type DigestRhythm, findLatestDue, findNextDue } from '../../calendar/digest-rhythm.ts';
import { findDueAfterLast, type LastDigest } from '../../calendar/next-digest.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import type { DueAuthor } from './due-authors.ts';

/**
 * The day whose digest this author should get now: that of the last due moment that has passed. Null for a suspended author. A digest that
 * was begun keeps its day, however late it is and whatever its author has changed.
 */
export async function chooseDigestDate(db: Database, author: DueAuthor, now: Date): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const { userId, dueAt, zone } = author;
    // `openDigest` takes the same lock: either the digest has begun by now, or it will find the new moment.
    const unchanged = await tx
      .selectFrom('digestSettings')
      .select('userId')
      .where('userId', '=', userId)
      .where('nextDueAt', '=', dueAt)
      .where('zone', '=', zone)
      .forUpdate()
      .executeTakeFirst();
    // Changed since the page was read: the next sweep finds what is due then.
    if (!unchanged) return null;
    const last = await loadLastDigest(tx, userId, now);
    if (last?.open) return author.suspended ? null : last.date;
    const latest = author.suspended ? findNextDue(author, now) : findLatestDue(author, dueAt, now);
    if (latest?.getTime() !== dueAt.getTime()) {
      await tx.updateTable('digestSettings').set({ nextDueAt: latest }).where('userId', '=', userId).execute();
    }
    return author.suspended || latest === null ? null : findLocalDate(latest, zone);
  });
}

/** The due moment after the last digest; that of the digest itself while it has not ended, so that the sweep resumes it. */
export async function planNextDue(
  tx: Kysely<DB>,
  { userId, since, ...rhythm }: DigestRhythm & { userId: string; since: Date },
  now: Date,
): Promise<Date | null> {
  const last = await loadLastDigest(tx, userId, now);
  // A clock that was set back must not let an author wait for it.
  if (last?.open && rhythm.frequency !== 'off') return last.at < now ? last.at : now;
  return findDueAfterLast(rhythm, since < now ? since : now, last);
}

/** Moves the due moment on after the last digest. Nothing changes where none is wanted. */
export async function moveDueDate(tx: Kysely<DB>, userId: string, now: Date): Promise<void> {
  const settings = await tx
    .selectFrom('digestSettings')
    .select(['userId', 'frequency', 'weekday', 'hour', 'zone', 'since', 'nextDueAt'])
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (!settings?.nextDueAt) return;
  const nextDueAt = await planNextDue(tx, settings, now);
  await tx.updateTable('digestSettings').set({ nextDueAt }).where('userId', '=', userId).execute();
}

/** Authors whose due moment only a clock far ahead can have set: nobody would look at it before that time has come. */
export async function listFarDueAuthors(db: Database, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('digestSettings')
    .select('userId')
    .where('nextDueAt', '>', new Date(now.getTime() + FARTHEST_MS))
    .limit(limit)
    .execute();
  return rows.map(({ userId }) => userId);
}

const DAY_MS = 24 * 60 * 60_000;
/** More than the longest time between two digests. */
const FARTHEST_MS = 60 * DAY_MS;

/**
 * The newest digest of an author; each is of a later day than the one before. One that has ended and was due in days to come was sent by a
 * clock that was ahead, and counts when its time has come.
 */
async function loadLastDigest(
  tx: Kysely<DB>,
  userId: string,
  now: Date,
): Promise<(LastDigest & { open: boolean }) | null> {
  const row = await tx
    .selectFrom('digests')
    .select(['date', 'dueAt', 'at', 'state', 'frequency'])
    .where('userId', '=', userId)
    .where(({ or, eb }) =>
      or([eb('dueAt', '<=', new Date(now.getTime() + DAY_MS)), eb('state', 'in', ['pending', 'sending'])]),
    )
    .orderBy('date', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { date, dueAt, at, state, frequency } = row;
  const mayHaveArrived = state === 'sent' || state === 'unknown';
  return {
    date,
    frequency,
    at: mayHaveArrived && at > dueAt ? at : dueAt,
    open: state === 'pending' || state === 'sending',
  };
}
