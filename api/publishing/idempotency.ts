/** The `Idempotency-Key` of a publish: a repeat of a request gets the answer of the first one and does nothing. */
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
import type { StoredResponse } from '../../store/db/json-columns.ts';
import { ProblemError } from '../plugins/errors/problem.ts';
import type { PublishInput } from './request.ts';

/** Null where the client sent none. Keys belong to the user: two authors may use the same. */
export function readIdempotencyKey(
  header: unknown,
  userId: string,
  { content, options }: PublishInput,
): IdempotencyKey | null {
  if (header === undefined) return null;
  // The draft standard writes it as a quoted string; most clients leave the quotes out.
  const key = String(header).replace(/^"(.*)"$/, '$1');
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const detail = 'Idempotency-Key must have 1 to 255 printable ASCII characters without spaces.';
    throw new ProblemError(400, 'idempotency_key_malformed', detail);
  }
  const { canonicalUrl, baseUrl, coverImage, syndicationMode, fileName, source } = options;
  const parts = [content, canonicalUrl, baseUrl, coverImage, syndicationMode];
  // Requests without it keep the hash that they had before it was known.
  if (fileName !== undefined) parts.push(fileName);
  if (source !== undefined) parts.push(JSON.stringify([source.repository, source.path]));
  return { userId, key, requestHash: hashRequest(parts) };
}

/** Does the work under a claim of the key, or returns the answer to the first request with it. Without a key it just does the work. */
export async function answerOnce(
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
    // Work that failed changed nothing, so the claim is given back. Where the database is unreachable it expires by itself.
    await releaseKey(deps.db, claimed).catch((cause: unknown) => deps.log.warn({ err: cause }, 'claim not released'));
    throw error;
  }
}

/** The kept answer of a repeat; a claim where this request is the first. */
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
    'Another request with this Idempotency-Key is in progress. Nothing was done under this one; ask again in a moment.';
  return new ProblemError(409, 'idempotency_key_in_progress', detail, { headers: { 'retry-after': '1' } });
}
