/** The date of the digest that is due, and moving it on: past an outage or a suspension, and after the digest has ended. */
import type { Kysely } from 'kysely';
import { findLocalDate } from '../../calendar/days.ts';
import { findLatestDue, findNextDue } from '../../calendar/digest-rhythm.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import type { DueAuthor } from './due-authors.ts';

/**
 * The day whose digest this author should get now: that of the last due moment that has passed. Null for a suspended author. A digest that
 * was begun keeps its day, however late it is.
 */
export async function chooseDigestDate(db: Database, author: DueAuthor, now: Date): Promise<string | null> {
  const latest = author.suspended ? findNextDue(author, now) : findLatestDue(author, author.dueAt, now);
  if (latest?.getTime() === author.dueAt.getTime()) return findLocalDate(author.dueAt, author.zone);
  const moved = await moveUnlessBegun(db, author, latest);
  if (author.suspended) return null;
  return findLocalDate(moved && latest ? latest : author.dueAt, author.zone);
}

/** Moves the due moment past the day of a digest that has ended, unless it is later already. */
export async function passDueDate(db: Kysely<DB>, key: { userId: string; date: string }, now: Date): Promise<void> {
  const settings = await db
    .selectFrom('digestSettings')
    .select(['frequency', 'weekday', 'hour', 'zone', 'nextDueAt'])
    .where('userId', '=', key.userId)
    .forUpdate()
    .executeTakeFirst();
  if (!settings?.nextDueAt || findLocalDate(settings.nextDueAt, settings.zone) > key.date) return;
  const after = new Date(Math.max(now.getTime(), settings.nextDueAt.getTime()));
  const nextDueAt = findNextDue(settings, after);
  await db.updateTable('digestSettings').set({ nextDueAt }).where('userId', '=', key.userId).execute();
}

async function moveUnlessBegun(db: Database, author: DueAuthor, to: Date | null): Promise<boolean> {
  const { userId, dueAt, zone } = author;
  return db.transaction().execute(async (tx) => {
    // `openDigest` takes the same lock: either the digest has begun by now, or it will find the new moment.
    const row = await tx
      .selectFrom('digestSettings')
      .select('userId')
      .where('userId', '=', userId)
      .where('nextDueAt', '=', dueAt)
      .forUpdate()
      .executeTakeFirst();
    const begun = await tx
      .selectFrom('digests')
      .select('date')
      .where('userId', '=', userId)
      .where('date', '=', findLocalDate(dueAt, zone))
      .executeTakeFirst();
    if (!row || begun) return false;
    await tx.updateTable('digestSettings').set({ nextDueAt: to }).where('userId', '=', userId).execute();
    return true;
  });
}
