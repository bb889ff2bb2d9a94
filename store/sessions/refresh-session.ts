/** Exchanges a refresh token for its successor. Reuse indicates theft and ends the session. */
import type { Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { endSession } from './end-sessions.ts';
import { SESSION_LIFETIME_MS } from './open-session.ts';
import { deriveSuccessor, hashRefreshToken, isRefreshToken } from './refresh-token.ts';

/**
 * Two tabs that refresh at once, or a repeated request, are not theft. A client detects a lost
 * response by its own time-out, so this is longer than a few such time-outs. The command line
 * repeats within 40 s.
 */
const GRACE_MS = 60_000;

export type RefreshResult =
  | { kind: 'refreshed'; userId: string; sessionId: string; refreshToken: string }
  /** The user is suspended. Nothing was changed, so the token stays valid for later. */
  | { kind: 'suspended' }
  /** Unknown, or of a session that has ended or expired. */
  | { kind: 'unknown' }
  /** An old token was used again. This ended the session. */
  | { kind: 'reused' };

export async function refreshSession(
  db: Database,
  key: Buffer,
  { token, now }: { token: string; now: Date },
): Promise<RefreshResult> {
  if (!isRefreshToken(token)) return { kind: 'unknown' };
  return db.transaction().execute(async (tx) => {
    // Locks token and session, so that of two simultaneous requests the second sees the first one's
    // result.
    const found = await tx
      .selectFrom('refreshTokens')
      .innerJoin('sessions', 'sessions.id', 'refreshTokens.sessionId')
      .innerJoin('users', 'users.id', 'sessions.userId')
      .select(['refreshTokens.sessionId', 'refreshTokens.replacedAt', 'sessions.userId', 'users.suspendedAt'])
      .where('refreshTokens.tokenHash', '=', hashRefreshToken(token))
      .where('sessions.endedAt', 'is', null)
      .where('sessions.expiresAt', '>', now)
      .forUpdate(['refreshTokens', 'sessions'])
      .executeTakeFirst();
    if (!found) return { kind: 'unknown' };
    const { sessionId, userId, replacedAt, suspendedAt } = found;
    if (replacedAt !== null && now.getTime() - replacedAt.getTime() > GRACE_MS) {
      await endSession(tx, { userId, sessionId, now });
      return { kind: 'reused' };
    }
    if (suspendedAt !== null) return { kind: 'suspended' };
    if (replacedAt !== null)
      return { kind: 'refreshed', userId, sessionId, refreshToken: await findLastToken(tx, key, token) };
    const refreshToken = deriveSuccessor(key, token);
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
      .set({ lastUsedAt: now, expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS) })
      .where('id', '=', sessionId)
      .execute();
    return { kind: 'refreshed', userId, sessionId, refreshToken };
  });
}

/** The last in the chain: another tab may have refreshed more than once in the grace period. */
async function findLastToken(tx: Transaction<DB>, key: Buffer, token: string): Promise<string> {
  for (let next = deriveSuccessor(key, token); ; next = deriveSuccessor(key, next)) {
    const row = await tx
      .selectFrom('refreshTokens')
      .select('replacedAt')
      .where('tokenHash', '=', hashRefreshToken(next))
      .executeTakeFirst();
    if (!row || row.replacedAt === null) return next;
  }
}
