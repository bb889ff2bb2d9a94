/** Developer tokens: shown once, stored as SHA-256. 192 random bits need no slow hash. */
import { createHash, randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type ConnectedPlatforms, connectedPlatforms } from '../connections/list.ts';
import type { Database } from '../db/database.ts';
import { prepareOnce, runPrepared } from '../db/prepared.ts';
import type { DB } from '../db/types.ts';
import { buildHit, type Hits } from '../rate-limits/counters.ts';

export const TOKEN_PATTERN = /^courant_[0-9a-f]{48}$/;

/** The result contains the only copy of the clear text. */
export async function createDeveloperToken(
  db: Database,
  options: { userId: string; name: string; expiresAt?: Date; now: Date; id?: string },
): Promise<{ id: string; token: string }> {
  const token = `courant_${randomBytes(24).toString('hex')}`;
  const { id } = await db
    .insertInto('developerTokens')
    .values({
      ...(options.id !== undefined && { id: options.id }),
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
  emailConfirmed: boolean;
  /** Of each connected destination; in the same round trip, since every publish waits for it. */
  platforms: ConnectedPlatforms;
}

/** The owner of a token; null if it is unknown, revoked or expired. */
export async function findTokenOwner(db: Database, token: string, now: Date): Promise<TokenOwner | null> {
  const { rows } = await selectOwner({ tokenHash: hashToken(token), now }).execute(db);
  return rows[0] ?? null;
}

/**
 * Reads the owner of a used token and counts this use in the present window, in one statement,
 * since every publish waits for it. Invalid tokens are not counted. Records the time of use at most
 * once a minute.
 */
export async function useToken(
  db: Database,
  token: string,
  { now, windowMs }: { now: Date; windowMs: number },
): Promise<(TokenOwner & { uses: Hits }) | null> {
  const { rows } = await runPrepared(db, countUse(db, { tokenHash: hashToken(token), now, windowMs }));
  const [row] = rows;
  if (!row) return null;
  const { lastUsedAt, current, ttl, ...owner } = row;
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > 60_000) {
    await db.updateTable('developerTokens').set({ lastUsedAt: now }).where('id', '=', owner.tokenId).execute();
  }
  return { ...owner, uses: { current, ttl } };
}

type OwnerRow = TokenOwner & { lastUsedAt: Date | null };

interface TokenUse {
  tokenHash: Buffer;
  now: Date;
  windowMs: number;
}

const countUse = prepareOnce('use_token', (db, { windowMs, ...use }: TokenUse) => {
  const bucket = sql`select 'publish:' || token_id from owner`;
  return sql<OwnerRow & Hits>`
    with owner as (${selectOwner(use)}), hit as (${buildHit(bucket, windowMs)})
    select * from owner, hit`.compile(db);
});

function selectOwner({ tokenHash, now }: Omit<TokenUse, 'windowMs'>) {
  return sql<OwnerRow>`
    select token.id as token_id, token.last_used_at, users.id as user_id, users.username,
      users.suspended_at is not null as suspended, users.email_confirmed_at is not null as email_confirmed,
      ${connectedPlatforms}
    from developer_tokens token join users on users.id = token.user_id
    where token.token_hash = ${tokenHash} and token.revoked_at is null
      and (token.expires_at is null or token.expires_at > ${now})`;
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

/** Revokes all tokens of the user. Returns their number. */
export async function revokeDeveloperTokens(db: Kysely<DB>, userId: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('developerTokens')
    .set({ revokedAt: now })
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
