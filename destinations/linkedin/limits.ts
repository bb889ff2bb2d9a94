/** Bounds of LinkedIn's Posts API. Few are stated; the others are what goes through safely. */
import type { Limits } from '../types.ts';

export const LABEL = 'LinkedIn';
export const BASE_URL = 'https://api.linkedin.com';

/**
 * The month version of the API that the requests are written for (August 2026). One lives about a year: raise it, or
 * give a connection an `apiVersion` of its own, before LinkedIn answers 426.
 */
export const API_VERSION = '202608';

/** In UTF-16 units, with the escapes. What is longer is said to be cut there without a word. */
export const TEXT_LENGTH = 3000;
export const DESCRIPTION_LENGTH = 256;
/** Longer ones are no words that anybody follows. */
export const HASHTAG_LENGTH = 100;

const MINUTE_MS = 60_000;

export const limits: Limits = {
  // Of the link card.
  titleLength: 200,
  tags: 3,
  // The text of the article stays where it is.
  bodyBytes: Number.MAX_SAFE_INTEGER,
  // The daily quota is not published; 150 posts a member are reported. Five at once and 144 after them stay below.
  pacing: { intervalMs: 10 * MINUTE_MS, burst: 5 },
  readLagMs: 0,
  // A person's posts can be read by approved applications only. Pages with `r_organization_social` could be looked up;
  // one answer for all connections is the careful one.
  canFind: false,
  // Of a post with a link card only the words above it could be changed.
  canUpdate: false,
  withdraw: 'deleted',
  // An identical post is refused, and the refusal names the first one. For how long is not documented.
  repeat: { afterMs: MINUTE_MS, withinMs: 10 * MINUTE_MS },
};
