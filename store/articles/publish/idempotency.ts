/**
 * `Idempotency-Key`: a request claims its key before the work and stores its response in the same
 * transaction. States:
 *
 * - claimed: `response` is null, `lockedUntil` is in the future. Other requests get `in_progress`.
 * - abandoned: `lockedUntil` has passed without a response. The next request takes the claim over.
 * - released: the work failed and nothing was stored. The row is deleted.
 * - answered: `response` is stored and replayed for `KEY_LIFETIME_MS`.
 *
 * `lockedUntil` identifies a claim. A slow process locks its claim by it, and does nothing if
 * another request has taken over.
 */
import { createHash } from 'node:crypto';
import { type QueryCreator, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { prepareOnce } from '../../db/prepared.ts';
import type { DB, StoredResponse } from '../../db/types.ts';

/** How long a response is replayed. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Longer than almost any publish. After it a claim without a response counts as abandoned. */
const CLAIM_MS = 30_000;

export type Claim =
  | { kind: 'claimed'; claim: HeldClaim }
  | { kind: 'replay'; response: StoredResponse }
  | { kind: 'in_progress' }
  | { kind: 'other_body' };

export interface IdempotencyKey {
  userId: string;
  key: string;
  requestHash: Buffer;
}

export interface HeldClaim extends IdempotencyKey {
  /** Distinguishes this claim from a later one of the same key. */
  lockedUntil: Date;
}

export async function claimKey(db: Database, request: IdempotencyKey, now: Date): Promise<Claim> {
  const { userId, key, requestHash } = request;
  const lockedUntil = new Date(now.getTime() + CLAIM_MS);
  const oldest = new Date(now.getTime() - KEY_LIFETIME_MS);
  const claimed = await sql`
    insert into idempotency_keys as k (user_id, key, request_hash, locked_until, created_at)
    values (${userId}, ${key}, ${requestHash}, ${lockedUntil}, ${now})
    on conflict (user_id, key) do update set
      request_hash = ${requestHash}, response = null, locked_until = ${lockedUntil}, created_at = ${now}
      where k.created_at < ${oldest}
        or (k.response is null and k.locked_until < ${now})
    returning key`.execute(db);
  if (claimed.rows.length === 1) return { kind: 'claimed', claim: { ...request, lockedUntil } };
  const existing = await db
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'response'])
    .where('userId', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (!existing) return { kind: 'in_progress' };
  if (!existing.requestHash.equals(requestHash)) return { kind: 'other_body' };
  return existing.response === null ? { kind: 'in_progress' } : { kind: 'replay', response: existing.response };
}

export interface KeyedResponse extends Pick<IdempotencyKey, 'userId' | 'key'> {
  response: StoredResponse;
}

/** Locks the claim for the transaction of the work. Returns no row if it is no longer held. */
export const lockClaim = prepareOnce('lock_claim', (db, { userId, key, requestHash, lockedUntil }: HeldClaim) =>
  db
    .selectFrom('idempotencyKeys')
    .select('key')
    .where('userId', '=', userId)
    .where('key', '=', key)
    .where('requestHash', '=', requestHash)
    .where('lockedUntil', '=', lockedUntil)
    .where('response', 'is', null)
    .forUpdate()
    .compile(),
);

/** The work took so long that another request took the claim over. Nothing was done. */
export class ClaimLostError extends Error {
  override name = 'ClaimLostError';
}

/** Stores the response, within the transaction of the work. */
export function storeKeyedResponse(db: QueryCreator<DB>, { userId, key, response }: KeyedResponse) {
  return db
    .updateTable('idempotencyKeys')
    .set({ response: JSON.stringify(response) })
    .where('userId', '=', userId)
    .where('key', '=', key);
}

/** Releases a claim after a failure, unless another request has taken it over. */
export async function releaseKey(db: Database, { userId, key, lockedUntil }: HeldClaim): Promise<void> {
  await db
    .deleteFrom('idempotencyKeys')
    .where('userId', '=', userId)
    .where('key', '=', key)
    .where('lockedUntil', '=', lockedUntil)
    .where('response', 'is', null)
    .execute();
}

export function hashRequest(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
