/** Limits of Ghost's Admin API (5 and later), from its schemas and its database. */
import type { Limits } from '../types.ts';

export const LABEL = 'Ghost';

export const EXCERPT_LENGTH = 300;
export const META_LENGTH = 500;
export const TAG_LENGTH = 191;
export const SLUG_LENGTH = 185;
export const ADDRESS_LENGTH = 2000;

export const limits: Limits = {
  // The request's schema would accept 2000; the column of the database does not.
  titleLength: 255,
  // Ghost documents no limit.
  tags: Number.MAX_SAFE_INTEGER,
  // The size of one request that Ghost's own parser and its usual proxy accept.
  bodyBytes: 50 * 1024 * 1024,
  // Ghost documents no rate limit for API keys. A write empties the site's cache and fires its
  // webhooks, often on a small machine that also serves readers, so writes are spaced.
  pacing: { intervalMs: 1000, burst: 3 },
  // Reads are not cached. This covers a write that still runs after its connection was cut.
  readLagMs: 2000,
  canFind: true,
  canUpdate: true,
  withdraw: 'unpublished',
  repeat: null,
};
