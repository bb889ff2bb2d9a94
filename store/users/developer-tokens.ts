/** Developer tokens: shown once, stored as SHA-256. 192 random bits need no slow hash. */
import { createHash, randomBytes } from 'node:crypto';
import { type ConnectedPlatforms, connectedPlatforms } from '../connections/list.ts';
import type { Database } from '../db/database.ts';

export const TOKEN_PATTERN = /^courant_[0-9a-f]{48}$/;

/** Creates a token. The clear text is in the result and nowhere else. */
export async function createDeveloperToken(
  db: Database,
  options: { userId: string; name: string; expiresAt?: Date; now: Date },
): Promise<{ id: string; token: string }> {
  const token = `courant_${randomBytes(24).toString('hex')}`;
  const { id } = await db
    .insertInto('developerTokens')
    .values({
      userId: options.userId,
      name: options.name,
      tokenHash: hashToken(token),
      lastFour: token.slice(-4),
      expiresAt: options.expiresAt ?? null,
      createdAt: options.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, token };
}

export interface TokenOwner {
  tokenId: string;
  userId: string;
  username: string;
  suspended: boolean;
  /** The platform of each connected destination: read in the same round trip, since every publish waits for it. */
  platforms: ConnectedPlatforms;
}

/** The owner of a token; null if it is unknown, revoked or expired. Records its use, at most once a minute. */
export async function findTokenOwner(db: Database, token: string, now: Date): Promise<TokenOwner | null> {
  const row = await db
    .selectFrom('developerTokens')
    .innerJoin('users', 'users.id', 'developerTokens.userId')
    .select([
      'developerTokens.id as tokenId',
      'developerTokens.lastUsedAt',
      'developerTokens.expiresAt',
      'users.id as userId',
      'users.username',
      'users.suspendedAt',
    ])
    .select(connectedPlatforms)
    .where('tokenHash', '=', hashToken(token))
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
  if (!row || (row.expiresAt !== null && row.expiresAt <= now)) return null;
  if (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() > 60_000) {
    await db.updateTable('developerTokens').set({ lastUsedAt: now }).where('id', '=', row.tokenId).execute();
  }
  const { tokenId, userId, username, platforms } = row;
  return { tokenId, userId, username, suspended: row.suspendedAt !== null, platforms };
}

/** Revokes a token of this user; false if there is no such valid token. */
export async function revokeDeveloperToken(
  db: Database,
  options: { userId: string; tokenId: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('developerTokens')
    .set({ revokedAt: options.now })
    .where('id', '=', options.tokenId)
    .where('userId', '=', options.userId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
