/** Reads the details of a signed-in user that every page shows, in one query. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

export interface Viewer {
  userId: string;
  sessionId: string;
  username: string;
  name: string;
  email: string;
  emailConfirmed: boolean;
  pictureUrl: string | null;
  /** Null if none was chosen. */
  zone: string | null;
  /** Unread notifications. */
  unread: number;
}

/** The caller has checked the session. Undefined if the account is gone. */
export async function findViewer(
  db: Kysely<DB>,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<Viewer | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['username', 'name', 'email', 'emailConfirmedAt', 'pictureUrl'])
    .select(
      sql<number>`(select count(*) from notifications n
        where n.user_id = users.id and n.read_at is null and n.withdrawn_at is null)`.as('unread'),
    )
    .select(
      sql<string | null>`(select nullif(zone, 'UTC') from digest_settings d where d.user_id = users.id)`.as('zone'),
    )
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { emailConfirmedAt, ...viewer } = row;
  return { ...viewer, userId, sessionId, emailConfirmed: emailConfirmedAt !== null };
}
