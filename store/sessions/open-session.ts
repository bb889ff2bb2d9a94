/** Opens a session: a sign-in on one device, valid while it is refreshed. */
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { createRefreshToken, hashRefreshToken } from './refresh-token.ts';

/** A session that is not refreshed ends after this time. */
export const SESSION_LIFETIME_MS = 30 * 24 * 3_600_000;

/** Per account: more than the devices of any user. All sessions can be listed. */
export const MAX_SESSIONS = 100;

export interface OpenedSession {
  sessionId: string;
  /** In clear text only here. */
  refreshToken: string;
}

export interface NewSession {
  userId: string;
  userAgent: string | null;
  /** From `hashNetwork`. Without it, the session adds no known network. */
  network?: Buffer | null;
  now: Date;
}

/** Null if the verified password was replaced: the session would survive the change. */
export function openSessionByPassword(
  db: Database,
  { passwordHash, ...session }: NewSession & { passwordHash: string },
): Promise<OpenedSession | null> {
  return db.transaction().execute(async (tx) => {
    // Serialises with a password change: it ends this session afterwards, or this query reads the
    // new hash.
    const user = await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', session.userId)
      .where('passwordHash', '=', passwordHash)
      .forShare()
      .executeTakeFirst();
    if (!user) return null;
    const opened = await openSession(tx, session);
    await endSurplusSessions(tx, session);
    return opened;
  });
}

export async function openSession(
  db: Kysely<DB>,
  { userId, userAgent, network = null, now }: NewSession,
): Promise<OpenedSession> {
  const refreshToken = createRefreshToken();
  const { sessionId } = await db
    .with('session', (cte) =>
      cte
        .insertInto('sessions')
        .values({
          userId,
          userAgent,
          network,
          createdAt: now,
          lastUsedAt: now,
          expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
        })
        .returning('id'),
    )
    .insertInto('refreshTokens')
    .columns(['tokenHash', 'sessionId', 'issuedAt'])
    .expression((eb) =>
      eb
        .selectFrom('session')
        .select(({ val }) => [val(hashRefreshToken(refreshToken)).as('hash'), 'id', val(now).as('at')]),
    )
    .returning('sessionId')
    .executeTakeFirstOrThrow();
  return { sessionId, refreshToken };
}

/** Ends the least recently used sessions. Skips one that another transaction has locked. */
async function endSurplusSessions(tx: Transaction<DB>, { userId, now }: { userId: string; now: Date }): Promise<void> {
  const surplus = tx
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id')
    .offset(MAX_SESSIONS)
    .forUpdate()
    .skipLocked();
  await tx.updateTable('sessions').set({ endedAt: now }).where('id', 'in', surplus).execute();
}
