/** Exchanges a refresh token for its successor. One that was replaced a while ago has been stolen, or its thief has used it: its session ends. */
import type { Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { endSession } from './end-sessions.ts';
import { SESSION_MS } from './open-session.ts';
import { deriveSuccessor, hashRefreshToken, isRefreshToken } from './refresh-token.ts';

/**
 * Two tabs that refresh at once, or a request whose answer was lost and that is repeated, is no theft. A client notices a lost answer by its own
 * time-out, so this is longer than a few of those; the command line repeats within 40 s.
 */
const GRACE_MS = 60_000;

export type Refreshed =
  | { kind: 'refreshed'; userId: string; sessionId: string; refreshToken: string }
  /** Its user is suspended. Nothing was changed: the token is good for when that is lifted. */
  | { kind: 'suspended' }
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
    // Token and session are locked: of requests at the same moment the second reads what the first has written.
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
      return { kind: 'refreshed', userId, sessionId, refreshToken: await findNewest(tx, key, token) };
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
      .set({ lastUsedAt: now, expiresAt: new Date(now.getTime() + SESSION_MS) })
      .where('id', '=', sessionId)
      .execute();
    return { kind: 'refreshed', userId, sessionId, refreshToken };
  });
}

/** The last of the tokens that follow from this one: another tab may have refreshed more than once within these seconds. */
async function findNewest(tx: Transaction<DB>, key: Buffer, token: string): Promise<string> {
  for (let next = deriveSuccessor(key, token); ; next = deriveSuccessor(key, next)) {
    const row = await tx
      .selectFrom('refreshTokens')
      .select('replacedAt')
      .where('tokenHash', '=', hashRefreshToken(next))
      .executeTakeFirst();
    if (!row || row.replacedAt === null) return next;
  }
}
