/** Limits of Hashnode's GraphQL API (the live endpoint, for publications on the Pro plan). */
import type { Limits } from '../types.ts';

export const LABEL = 'Hashnode';
export const BASE_URL = 'https://gql-beta.hashnode.com';

/** The request with its JSON escapes. "100 KB" is documented: the smaller meaning. */
export const REQUEST_BYTES = 100_000;

export const limits: Limits = {
  // Hashnode states no limit for titles.
  titleLength: Number.MAX_SAFE_INTEGER,
  tags: 15,
  bodyBytes: REQUEST_BYTES,
  // Hashnode states 500 mutations a minute, and does not enforce it at present.
  pacing: { intervalMs: 150, burst: 5 },
  // Queries may be served from a cache for about 25 s.
  readLagMs: 30_000,
  canFind: true,
  canUpdate: true,
  withdraw: 'delisted',
  repeat: null,
};
