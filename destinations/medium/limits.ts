/** Limits of Medium's API, for authors with an integration token. There are no new ones. */
import type { Limits } from '../types.ts';

export const LABEL = 'Medium';
export const BASE_URL = 'https://api.medium.com/v1';

/** Medium ignores longer tags. */
export const TAG_LENGTH = 25;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The wait after Medium's daily limit is reached. */
export const DAILY_WAIT_MS = DAY_MS;

/** Cloudflare's challenge ends within minutes, or never for a server in a data centre. */
export const CHALLENGE_WAIT_MS = 5 * 60 * 1000;
export const MAX_CHALLENGE_ATTEMPTS = 4;

export const limits: Limits = {
  titleLength: 100,
  tags: 3,
  // Medium states no limit for the text.
  bodyBytes: Number.MAX_SAFE_INTEGER,
  // About ten posts in 24 hours; the number changes and is not published. The first ten are sent
  // without a pause, then one every 2.4 hours. If Medium refuses earlier, the delivery waits.
  pacing: { intervalMs: DAY_MS / 10, burst: 10 },
  // There are no look-ups.
  readLagMs: 0,
  canFind: false,
  canUpdate: false,
  withdraw: 'none',
  repeat: null,
};
