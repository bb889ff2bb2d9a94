/** An author's notifications: by number, as streams send them; the newest first, as people read them. */
import type { Kysely } from 'kysely';
import type { DB } from '../db/types.ts';

/** What the streams of an author send after number `after`: the oldest first, at most `limit`. */
export function listNotifications(db: Kysely<DB>, options: { userId: string; after: number; limit: number }) {
  return db
    .selectFrom('notifications')
    .select(['id', 'number', 'type', 'payload', 'createdAt'])
    .where('userId', '=', options.userId)
    .where('number', '>', options.after)
    .where('onStream', '=', true)
    .orderBy('number')
    .limit(options.limit)
    .execute();
}

/** The newest number of an author; 0 without any notification. */
export async function findLastNotificationNumber(db: Kysely<DB>, userId: string): Promise<number> {
  const row = await db
    .selectFrom('notificationCounters')
    .select('lastNumber')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row?.lastNumber ?? 0;
}

/** What an author reads: the newest first, those before number `before` where it is given. */
export function listNewest(db: Kysely<DB>, options: { userId: string; before: number | null; limit: number }) {
  const { userId, before, limit } = options;
  return db
    .selectFrom('notifications')
    .select(['id', 'number', 'type', 'payload', 'link', 'readAt', 'createdAt'])
    .where('userId', '=', userId)
    .$if(before !== null, (query) => query.where('number', '<', before))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
}

export async function countUnread(db: Kysely<DB>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('notifications')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
