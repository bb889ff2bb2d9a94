/** Creates and lists developer tokens for their owner. */
import { type Kysely, sql } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { findSessionStatus } from '../sessions/session-status.ts';
import { lockUser } from '../users/lock-user.ts';
import { createDeveloperToken } from './developer-tokens.ts';

export const MAX_DEVELOPER_TOKENS = 20;
/** Expired tokens are listed this long, so that their owner sees why a build is rejected. */
const EXPIRED_LISTED_MS = 30 * 24 * 3_600_000;

/**
 * Returns the token; only its hash is stored. Counts tokens under the lock. A repeated `id` throws
 * ALREADY_MADE. An ended session throws UNAUTHENTICATED, because a reset revokes tokens under the
 * same lock.
 */
export function createOwnToken(
  db: Database,
  token: { userId: string; sessionId: string; name: string; expiresAt: Date | null; now: Date; id?: string },
): Promise<{ id: string; token: string }> {
  return db.transaction().execute(async (tx) => {
    const { userId, sessionId, name, expiresAt, now, id } = token;
    await lockUser(tx, userId);
    const { state } = await findSessionStatus(tx, { sessionId, userId, now });
    if (state !== 'open') throw new RefusedCommandError('UNAUTHENTICATED', 'The session has ended. Sign in again.');
    if (id !== undefined) await rejectRepeatedId(tx, userId, id);
    if ((await countOwnTokens(tx, userId, now)) >= MAX_DEVELOPER_TOKENS) {
      const message = `You have ${MAX_DEVELOPER_TOKENS} developer tokens, which is the maximum. Revoke one that you no longer use first.`;
      throw new RefusedCommandError('TOO_MANY', message);
    }
    return createDeveloperToken(tx, {
      userId,
      name,
      now,
      ...(expiresAt && { expiresAt }),
      ...(id !== undefined && { id }),
    });
  });
}

/** Number of valid tokens. */
export async function countOwnTokens(db: Kysely<DB>, userId: string, now: Date): Promise<number> {
  const { count } = await selectUnrevoked(db, userId)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

async function rejectRepeatedId(db: Kysely<DB>, userId: string, id: string): Promise<void> {
  const existing = await db
    .selectFrom('developerTokens')
    .select(['userId', 'name'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!existing) return;
  const tokenName = existing.userId === userId ? `“${existing.name}”` : 'a token';
  const message = `This form was already sent and created ${tokenName}. A token is shown once and never again. If you did not copy it, revoke it and create another one.`;
  throw new RefusedCommandError('ALREADY_MADE', message);
}

/** Valid and recently expired tokens, newest first. */
export function listOwnTokens(db: Kysely<DB>, userId: string, now: Date) {
  const since = new Date(now.getTime() - EXPIRED_LISTED_MS);
  return selectUnrevoked(db, userId)
    .select(['id', 'name', 'lastFour', 'createdAt', 'expiresAt'])
    .select(sql<string | null>`to_char(last_used_at at time zone 'UTC', 'YYYY-MM-DD')`.as('lastUsedOn'))
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', since)]))
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(MAX_LISTED_TOKENS)
    .execute();
}

/** Far above the limit of valid tokens, since each may have expired and been replaced meanwhile. */
const MAX_LISTED_TOKENS = 200;

function selectUnrevoked(db: Kysely<DB>, userId: string) {
  return db.selectFrom('developerTokens').where('userId', '=', userId).where('revokedAt', 'is', null);
}
