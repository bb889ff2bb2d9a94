/** Notifications, read by number. */
import { type Kysely, sql } from 'kysely';
import type { NotificationPayload, NotificationType } from '../db/json-columns.ts';
import type { DB } from '../db/types.ts';

export interface Notification {
  id: string;
  /** Counts the notifications of its user. */
  number: number;
  type: NotificationType;
  payload: NotificationPayload;
  createdAt: Date;
}

/** For each question, in their order: the user's notifications after number `after`, oldest first, at most `limit`. */
export async function listNotificationsOfMany(
  db: Kysely<DB>,
  questions: readonly { userId: string; after: number }[],
  limit: number,
): Promise<Notification[][]> {
  const userIds = questions.map(({ userId }) => userId);
  const after = questions.map((question) => question.after);
  const { rows } = await sql<Notification & { question: number }>`
    select question::int, found.id, found.number, found.type, found.payload, found.created_at
    from unnest(${userIds}::uuid[], ${after}::bigint[]) with ordinality as asked (user_id, after, question)
    cross join lateral (
      select id, number, type, payload, created_at from notifications
      where user_id = asked.user_id and number > asked.after order by number limit ${limit}
    ) found
    order by question, found.number`.execute(db);
  const answers: Notification[][] = questions.map(() => []);
  for (const { question, ...notification } of rows) answers[question - 1]?.push(notification);
  return answers;
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
