/** Limits of LinkedIn's Posts API. Few are stated; the others are safe values. */
import type { Limits } from '../types.ts';

export const LABEL = 'LinkedIn';
export const BASE_URL = 'https://api.linkedin.com';

/**
 * The month version of the API that the requests are written for (August 2026). A version is valid
 * for about a year. Raise it, or set a connection's `apiVersion`, before LinkedIn responds with
 * 426.
 */
export const API_VERSION = '202608';

/** In UTF-16 units, with the escapes. LinkedIn is reported to cut longer texts silently. */
export const TEXT_LENGTH = 3000;
export const DESCRIPTION_LENGTH = 256;
/** Longer hashtags have no followers. */
export const HASHTAG_LENGTH = 100;

const MINUTE_MS = 60_000;

export const limits: Limits = {
  // The title of the link card.
  titleLength: 200,
  tags: 3,
  // The article's text is not sent.
  bodyBytes: Number.MAX_SAFE_INTEGER,
  // 150 posts per member and day are reported. A burst of 5 and 144 a day stay below it.
  pacing: { intervalMs: 10 * MINUTE_MS, burst: 5 },
  readLagMs: 0,
  // Only approved applications may read a person's posts. `r_organization_social` allows reading a
  // page's posts, but this value must hold for all connections.
  canFind: false,
  // In a post with a link card, only the text above the card can be changed.
  canUpdate: false,
  withdraw: 'deleted',
  // LinkedIn refuses an identical post and names the first one. For how long is not documented.
  repeat: { afterMs: MINUTE_MS, withinMs: 10 * MINUTE_MS },
};
