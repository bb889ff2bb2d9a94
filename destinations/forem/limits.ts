/** Limits of Forem's REST API v1, from its validations and its rate limits. */
import type { Limits } from '../types.ts';

export const LABEL = 'DEV';
export const BASE_URL = 'https://dev.to/api';

/** One tag: ASCII letters and digits only. */
export const TAG_LENGTH = 30;

export const limits: Limits = {
  titleLength: 128,
  tags: 4,
  bodyBytes: 800 * 1024,
  // Ten publications in 30 s, and one write a second at Forem's edge. A burst would break the
  // second rule. Nine steady writes within 30 s allow for clock differences.
  pacing: { intervalMs: 3400, burst: 1 },
  // `/articles/me/*` is not cached at the edge. The public listing is, and is not used.
  readLagMs: 1000,
  canFind: true,
  canUpdate: true,
  withdraw: 'unpublished',
  repeat: null,
};
