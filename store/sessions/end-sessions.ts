/** Ends sessions. A trigger notifies every API instance, which ends the session's streams. */
import type { Kysely } from 'kysely';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';

/** Channel for ended sessions. Payload: `{"userId","sessionId"}`. */
export const SESSION_CHANNEL = 'courant_sessions';

/** False if this user has no such open session. */
export async function endSession(
  db: Kysely<DB>,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: Date },
): Promise<boolean> {
  if (!isUuid(sessionId)) return false;
  return (await endOpenSessions(db, userId, now).where('id', '=', sessionId).executeTakeFirst()).numUpdatedRows === 1n;
}

/** Ends all sessions of a user, except `except`. Returns how many. */
export async function endSessions(
  db: Kysely<DB>,
  { userId, except, now }: { userId: string; except?: string; now: Date },
): Promise<number> {
  const sessions = endOpenSessions(db, userId, now).$if(except !== undefined, (query) =>
    query.where('id', '!=', except as string),
  );
  return Number((await sessions.executeTakeFirst()).numUpdatedRows);
}

function endOpenSessions(db: Kysely<DB>, userId: string, now: Date) {
  return db
    .updateTable('sessions')
    .set({ endedAt: now })
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', now);
}
