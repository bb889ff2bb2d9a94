/** An author's notifications, read by number. */
import type { Kysely } from 'kysely';
import type { DB } from '../db/types.ts';

/** The notifications after number `after`, oldest first, at most `limit`. */
export function listNotifications(db: Kysely<DB>, options: { userId: string; after: number; limit: number }) {
  return db
    .selectFrom('notifications')
    .select(['id', 'number', 'type', 'payload', 'createdAt'])
    .where('userId', '=', options.userId)
    .where('number', '>', options.after)
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
