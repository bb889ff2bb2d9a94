/** Bounds of Forem's REST API v1, from its validations and its rate limits. */
import type { Limits } from '../types.ts';

export const LABEL = 'DEV / Forem';
export const BASE_URL = 'https://dev.to/api';

/** One tag: ASCII letters and digits only. */
export const TAG_LENGTH = 30;

export const limits: Limits = {
  titleLength: 128,
  tags: 4,
  bodyBytes: 800 * 1024,
  // Ten publications in 30 s and one write a second at the edge. A burst would break the second rule, and nine steady
  // writes within the window leave room for a clock that differs.
  pacing: { intervalMs: 3400, burst: 1 },
  // `/articles/me/*` is not cached at the edge; the public listing is, and is never asked.
  readLagMs: 1000,
  canFind: true,
  canUpdate: true,
  withdraw: 'unpublished',
  repeat: null,
};
