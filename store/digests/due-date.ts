/** Decides the date of a due digest, and advances it after outages, changes and digests. */
import type { Kysely } from 'kysely';
import { findLocalDate } from '../calendar/days.ts';
import {
  type DigestRhythm,
  findDueAfterLast,
  findLatestDue,
  findNextDue,
  type LastDigest,
} from '../calendar/digest-rhythm.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import type { DueAuthor } from './due-authors.ts';

/**
 * The date of the digest to send now: the day of the last due moment that has passed. Null for a
 * suspended author. A digest that has begun keeps its date, even if late or after a change of
 * settings.
 */
export async function chooseDigestDate(db: Database, author: DueAuthor, now: Date): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const { userId, dueAt, zone } = author;
    // `beginDigestRow` takes the same lock: either the digest has begun already, or it reads the new
    // due moment.
    const unchanged = await tx
      .selectFrom('digestSettings')
      .select('userId')
      .where('userId', '=', userId)
      .where('nextDueAt', '=', dueAt)
      .where('zone', '=', zone)
      .forUpdate()
      .executeTakeFirst();
    // Changed since the page was read: the next sweep handles the new due moment.
    if (!unchanged) return null;
    const last = await loadLastDigest(tx, userId, now);
    if (last?.isOpen) return author.suspended ? null : last.date;
    const latest = author.suspended ? findNextDue(author, now) : findLatestDue(author, dueAt, now);
    if (latest?.getTime() !== dueAt.getTime()) {
      await tx.updateTable('digestSettings').set({ nextDueAt: latest }).where('userId', '=', userId).execute();
    }
    return author.suspended || latest === null ? null : findLocalDate(latest, zone);
  });
}

/** The moment of a digest in progress, which the sweep resumes, else the one after the last. */
export async function planNextDue(
  tx: Kysely<DB>,
  { userId, since, ...rhythm }: DigestRhythm & { userId: string; since: Date },
  now: Date,
): Promise<Date | null> {
  const last = await loadLastDigest(tx, userId, now);
  // After a clock was set back, the author must not wait for the later time.
  if (last?.isOpen && rhythm.frequency !== 'off') return last.at < now ? last.at : now;
  return findDueAfterLast(rhythm, since < now ? since : now, last);
}

/** Advances the due moment after the last digest. Does nothing if digests are off. */
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

/** Authors with a due moment so far ahead that only a wrong clock can have set it. */
export async function listFarDueAuthors(db: Database, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('digestSettings')
    .select('userId')
    .where('nextDueAt', '>', new Date(now.getTime() + MAX_DUE_AHEAD_MS))
    .limit(limit)
    .execute();
  return rows.map(({ userId }) => userId);
}

const DAY_MS = 24 * 60 * 60_000;
/** More than the longest time between two digests. */
const MAX_DUE_AHEAD_MS = 60 * DAY_MS;

/**
 * The newest digest of an author; dates only increase. A digest that ended with a future due moment
 * was sent while a clock was ahead. It counts once that moment has passed.
 */
async function loadLastDigest(
  tx: Kysely<DB>,
  userId: string,
  now: Date,
): Promise<(LastDigest & { isOpen: boolean }) | null> {
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
    isOpen: state === 'pending' || state === 'sending',
  };
}
