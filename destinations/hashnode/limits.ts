/** Bounds of Hashnode's GraphQL API (the live endpoint, for publications on the Pro plan). */
import type { Limits } from '../types.ts';

export const LABEL = 'Hashnode';
export const BASE_URL = 'https://gql-beta.hashnode.com/';

/** Whole request, JSON escapes included: "100 KB", read in the smaller of its two senses. */
export const REQUEST_BYTES = 100_000;

export const limits: Limits = {
  // No bound is stated for titles.
  titleLength: Number.MAX_SAFE_INTEGER,
  tags: 15,
  bodyBytes: REQUEST_BYTES,
  // 500 mutations a minute are stated, and not enforced at present.
  pacing: { intervalMs: 150, burst: 5 },
  // Queries may be answered from a cache for about 25 s.
  readLagMs: 30_000,
  canFind: true,
  canUpdate: true,
  withdraw: 'delisted',
  repeat: null,
};
