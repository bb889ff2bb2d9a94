/** The hourly sweep's look at the database: the authors whose digest is due, and no others, a page at a time. */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { type DigestRhythm, latestDue, localDate, nextDue } from './rhythm.ts';

/** Where a page ended. Times in ISO 8601. */
export interface DueCursor {
  dueAt: string;
  userId: string;
}

export interface DueAuthor extends DigestRhythm {
  userId: string;
  username: string;
  dueAt: Date;
  suspended: boolean;
}

/** Authors whose digest was due up to `until`, after the cursor, the longest overdue first. */
export async function listDueAuthors(
  db: Database,
  page: { until: Date; after: DueCursor | null; limit: number },
): Promise<DueAuthor[]> {
  const { rows } = await dueAuthorsQuery(page).execute(db);
  return rows;
}

/**
 * Read from the front of `digest_settings_due_idx`. The limit of one keeps the planner from reading all accounts for a join: each is found
 * by its key.
 */
export function dueAuthorsQuery({ until, after, limit }: { until: Date; after: DueCursor | null; limit: number }) {
  const behind = after ? sql`and (d.next_due_at, d.user_id) > (${after.dueAt}, ${after.userId})` : sql``;
  return sql<DueAuthor>`
    select d.user_id, users.username, d.next_due_at as due_at, d.frequency, d.weekday, d.hour, d.zone,
      users.suspended_at is not null as suspended
    from (
      select * from digest_settings d where d.next_due_at <= ${until} ${behind}
      order by d.next_due_at, d.user_id limit ${limit}
    ) d cross join lateral (select username, suspended_at from users where id = d.user_id limit 1) users
    order by d.next_due_at, d.user_id`;
}

/**
 * The day whose digest this author should get now: that of the last due moment that has passed. Null where there is none to make:
 * the author is suspended, or the row was changed meanwhile. A digest that was begun keeps its day, however late it is.
 */
export async function settleDueDate(db: Database, author: DueAuthor, now: Date): Promise<string | null> {
  const latest = author.suspended ? nextDue(author, now) : latestDue(author, author.dueAt, now);
  if (latest?.getTime() === author.dueAt.getTime()) return localDate(author.dueAt, author.zone);
  const moved = await moveUnlessBegun(db, author, latest);
  if (author.suspended) return null;
  return localDate(moved && latest ? latest : author.dueAt, author.zone);
}

/** Moves the due moment behind a day whose digest has ended, where it is not behind it already. */
export async function passDueDate(db: Kysely<DB>, key: { userId: string; date: string }, now: Date): Promise<void> {
  const settings = await db
    .selectFrom('digestSettings')
    .select(['frequency', 'weekday', 'hour', 'zone', 'nextDueAt'])
    .where('userId', '=', key.userId)
    .forUpdate()
    .executeTakeFirst();
  if (!settings?.nextDueAt || localDate(settings.nextDueAt, settings.zone) > key.date) return;
  const after = new Date(Math.max(now.getTime(), settings.nextDueAt.getTime()));
  const nextDueAt = nextDue(settings, after);
  await db.updateTable('digestSettings').set({ nextDueAt }).where('userId', '=', key.userId).execute();
}

async function moveUnlessBegun(db: Database, author: DueAuthor, to: Date | null): Promise<boolean> {
  const { userId, dueAt, zone } = author;
  return db.transaction().execute(async (tx) => {
    // The lock that opening a digest takes too: either it has begun by now, or it will find the new moment.
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
      .where('date', '=', localDate(dueAt, zone))
      .executeTakeFirst();
    if (!row || begun) return false;
    await tx.updateTable('digestSettings').set({ nextDueAt: to }).where('userId', '=', userId).execute();
    return true;
  });
}
