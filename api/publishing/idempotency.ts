/** `Idempotency-Key` of a publish: a repeated request gets the first response and does nothing. */
import type { FastifyBaseLogger } from 'fastify';
import {
  ClaimLostError,
  claimKey,
  type HeldClaim,
  hashRequest,
  type IdempotencyKey,
  releaseKey,
} from '../../store/articles/publish/idempotency.ts';
import type { Database } from '../../store/db/database.ts';
import type { StoredResponse } from '../../store/db/types.ts';
import { ProblemError } from '../plugins/errors/problem.ts';
import type { PublishInput } from './request.ts';

/** Returns null without the header. Keys are per user: two authors may use the same one. */
export function readIdempotencyKey(
  header: unknown,
  userId: string,
  { content, options }: PublishInput,
): IdempotencyKey | null {
  if (header === undefined) return null;
  // The draft standard defines a quoted string; most clients omit the quotes.
  const key = String(header).replace(/^"(.*)"$/, '$1');
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const detail = 'Idempotency-Key must have 1 to 255 printable ASCII characters without spaces.';
    throw new ProblemError(400, 'idempotency_key_malformed', detail);
  }
  return { userId, key, requestHash: hashRequest([content, JSON.stringify(options)]) };
}

/** Runs `work` under a claim of the key, or returns the first response. `key` may be null. */
export async function runIdempotently(
  deps: { db: Database; log: FastifyBaseLogger; now: () => Date },
  key: IdempotencyKey | null,
  work: (claim: HeldClaim | null) => Promise<StoredResponse>,
): Promise<{ response: StoredResponse; isReplay: boolean }> {
  if (key === null) return { response: await work(null), isReplay: false };
  const claimed = await claim(deps, key);
  if ('response' in claimed) return { response: claimed.response, isReplay: true };
  try {
    return { response: await work(claimed), isReplay: false };
  } catch (error) {
    if (error instanceof ClaimLostError) throw createInProgressError();
    // Failed work changed nothing, so the claim is released, or expires if that fails too.
    await releaseKey(deps.db, claimed).catch((cause: unknown) =>
      deps.log.warn({ err: cause }, 'cannot release an idempotency claim'),
    );
    throw error;
  }
}

/** Returns the stored response of a repeat, or a claim for the first request. */
async function claim(
  { db, now }: { db: Database; now: () => Date },
  key: IdempotencyKey,
): Promise<HeldClaim | { response: StoredResponse }> {
  const result = await claimKey(db, key, now());
  switch (result.kind) {
    case 'claimed':
      return result.claim;
    case 'replay':
      return result;
    case 'in_progress':
      throw createInProgressError();
    case 'other_body': {
      const detail = 'This Idempotency-Key was used with another body. Use a new key for a new request.';
      throw new ProblemError(422, 'idempotency_key_reused', detail);
    }
  }
}

function createInProgressError(): ProblemError {
  const detail =
    'Another request with this Idempotency-Key is in progress. Nothing was changed by this one; send it again in a moment.';
  return new ProblemError(409, 'idempotency_key_in_progress', detail, { headers: { 'retry-after': '1' } });
}
