/** Reads whether a session is still valid, and lists sessions. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { isUuid } from '../db/valid-keys.ts';
import { MAX_SESSIONS } from './open-session.ts';

export interface SessionStatus {
  /** `suspended`: its user is suspended. A session is also `ended` if its user is deleted. */
  state: 'open' | 'suspended' | 'ended';
  emailConfirmed: boolean;
}

/** One query, since every signed-in request waits for it. */
export async function findSessionStatus(
  db: Database,
  { sessionId, userId, now }: { sessionId: string; userId: string; now: Date },
): Promise<SessionStatus> {
  const row = isUuid(sessionId)
    ? await db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.userId')
        .select(['users.suspendedAt', 'users.emailConfirmedAt'])
        .where('sessions.id', '=', sessionId)
        .where('users.id', '=', userId)
        .where('sessions.endedAt', 'is', null)
        .where('sessions.expiresAt', '>', now)
        .where('users.deletedAt', 'is', null)
        .executeTakeFirst()
    : undefined;
  if (!row) return { state: 'ended', emailConfirmed: false };
  return { state: row.suspendedAt === null ? 'open' : 'suspended', emailConfirmed: row.emailConfirmedAt !== null };
}

/** The open sessions, last used first. */
export function listSessions(db: Database, userId: string, now: Date) {
  return db
    .selectFrom('sessions')
    .select(['id', 'userAgent', 'createdAt', 'lastUsedAt', 'expiresAt'])
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id')
    .limit(MAX_SESSIONS)
    .execute();
}

/** Sessions that are over or suspended. Streams get no event for an expiry or a missed one. */
export async function listEndedSessions(db: Database, sessionIds: readonly string[], now: Date): Promise<string[]> {
  if (sessionIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select given.id from unnest(${sessionIds}::uuid[]) as given (id)
    where not exists (select from sessions s join users u on u.id = s.user_id
      where s.id = given.id and s.ended_at is null and s.expires_at > ${now}
        and u.suspended_at is null and u.deleted_at is null)`.execute(db);
  return rows.map(({ id }) => id);
}
