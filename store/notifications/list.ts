/** Lists notifications: by number for streams, newest first for people. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';
import type { Notification } from './event.ts';

/** For streams: per request, in order, those after number `after`, oldest first. */
export async function listNotificationsForStreams(
  db: Kysely<DB>,
  requests: readonly { userId: string; after: number }[],
  limit: number,
): Promise<Notification[][]> {
  const userIds = requests.map(({ userId }) => userId);
  const after = requests.map((request) => request.after);
  const { rows } = await sql<Notification & { requestNumber: number }>`
    select request_number::int, found.id, found.number, found.type, found.payload, found.created_at
    from unnest(${userIds}::uuid[], ${after}::bigint[]) with ordinality as requested (user_id, after, request_number)
    cross join lateral (
      select id, number, type, payload, created_at from notifications
      where user_id = requested.user_id and number > requested.after and on_stream and withdrawn_at is null order by number limit ${limit}
    ) found
    order by request_number, found.number`.execute(db);
  const results: Notification[][] = requests.map(() => []);
  for (const { requestNumber, ...notification } of rows) results[requestNumber - 1]?.push(notification);
  return results;
}

/** The newest number of a user; 0 without any notification. */
export async function findLastNotificationNumber(db: Kysely<DB>, userId: string): Promise<number> {
  const row = await db
    .selectFrom('notificationCounters')
    .select('lastNumber')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row?.lastNumber ?? 0;
}

/** For people. Newest first, below number `previousFrom` if it is set. */
export function listNewestNotifications(
  db: Kysely<DB>,
  options: { userId: string; before: number | null; limit: number },
) {
  const { userId, before, limit } = options;
  return db
    .selectFrom('notifications')
    .select(['id', 'number', 'type', 'payload', 'link', 'readAt', 'createdAt'])
    .where('userId', '=', userId)
    .where('withdrawnAt', 'is', null)
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
    .where('withdrawnAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export interface ReadMark {
  userId: string;
  /** Only these ids; all if undefined. */
  ids?: readonly string[] | undefined;
  /** Only up to this id, so that notifications added since the list was shown stay unread. */
  upTo?: string | undefined;
  now: Date;
}

/** Ignores foreign and unknown ids. Without `ids`, a foreign `upTo` marks nothing. */
export async function markRead(db: Kysely<DB>, { userId, ids, upTo, now }: ReadMark): Promise<void> {
  const validIds = ids?.filter(isUuid);
  if (validIds?.length === 0 || (upTo !== undefined && !isUuid(upTo))) return;
  await db
    .updateTable('notifications')
    .set({ readAt: now })
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    // A withdrawn notification was not shown, so it is not read.
    .where('withdrawnAt', 'is', null)
    .$if(validIds !== undefined, (query) => query.where('id', 'in', validIds as string[]))
    .$if(upTo !== undefined, (query) =>
      query.where(
        'number',
        '<=',
        sql<number>`(select number from notifications where id = ${upTo} and user_id = ${userId})`,
      ),
    )
    .execute();
}
