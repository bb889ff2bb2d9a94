/** Bounds of Medium's API, for whoever still has an integration token: new ones are no longer given out. */
import type { Limits } from '../types.ts';

export const LABEL = 'Medium';
export const BASE_URL = 'https://api.medium.com/v1';

/** Longer tags are left out there without a word. */
export const TAG_LENGTH = 25;

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long Medium wants to be left alone once its daily limit is reached. */
export const DAILY_WAIT_MS = DAY_MS;

export const limits: Limits = {
  titleLength: 100,
  tags: 3,
  // No bound is stated for the text.
  bodyBytes: Number.MAX_SAFE_INTEGER,
  // About ten posts in 24 hours from the first one; the number moves and is published nowhere. A day's worth may go at
  // once, as it would be written by hand, and comes back evenly; whoever needs more is told so by Medium and waits.
  pacing: { intervalMs: DAY_MS / 10, burst: 10 },
  // Nothing is ever looked up.
  readLagMs: 0,
  canFind: false,
  canUpdate: false,
  withdraw: 'none',
  repeat: null,
};
