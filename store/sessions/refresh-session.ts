/** Exchanges a refresh token for its successor. One that was replaced a while ago has been stolen, or its thief has used it: its session ends. */
import type { Database } from '../db/database.ts';
import { endSession } from './end-sessions.ts';
import { SESSION_MS } from './open-session.ts';
import { deriveSuccessor, hashRefreshToken, isRefreshToken } from './refresh-token.ts';

/** Two tabs that refresh at once, or a request whose answer was lost and that is repeated, is no theft. */
const GRACE_MS = 10_000;

export type Refreshed =
  | { kind: 'refreshed'; userId: string; sessionId: string; refreshToken: string }
  /** Unknown, or of a session that has ended or expired. */
  | { kind: 'unknown' }
  /** An old token was used again; the session has just been ended. */
  | { kind: 'reused' };

export async function refreshSession(
  db: Database,
  key: Buffer,
  { token, now }: { token: string; now: Date },
): Promise<Refreshed> {
  if (!isRefreshToken(token)) return { kind: 'unknown' };
  return db.transaction().execute(async (tx) => {
    // Both rows are locked: of requests at the same moment the second reads what the first has written.
    const found = await tx
      .selectFrom('refreshTokens')
      .innerJoin('sessions', 'sessions.id', 'refreshTokens.sessionId')
      .select(['refreshTokens.sessionId', 'refreshTokens.replacedAt', 'sessions.userId'])
      .where('refreshTokens.tokenHash', '=', hashRefreshToken(token))
      .where('sessions.endedAt', 'is', null)
      .where('sessions.expiresAt', '>', now)
      .forUpdate()
      .executeTakeFirst();
    if (!found) return { kind: 'unknown' };
    const { sessionId, userId, replacedAt } = found;
    const refreshToken = deriveSuccessor(key, token);
    if (replacedAt !== null) {
      if (now.getTime() - replacedAt.getTime() <= GRACE_MS)
        return { kind: 'refreshed', userId, sessionId, refreshToken };
      await endSession(tx, { userId, sessionId, now });
      return { kind: 'reused' };
    }
    await tx
      .updateTable('refreshTokens')
      .set({ replacedAt: now })
      .where('tokenHash', '=', hashRefreshToken(token))
      .execute();
    await tx
      .insertInto('refreshTokens')
      .values({ tokenHash: hashRefreshToken(refreshToken), sessionId, issuedAt: now })
      .execute();
    await tx
      .updateTable('sessions')
      .set({ lastUsedAt: now, expiresAt: new Date(now.getTime() + SESSION_MS) })
      .where('id', '=', sessionId)
      .execute();
    return { kind: 'refreshed', userId, sessionId, refreshToken };
  });
}
