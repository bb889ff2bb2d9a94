/**
 * Decides how long to wait for an unavailable picture. Its post first moves behind the other posts,
 * then the workflow pauses. In the end the picture keeps its address, and a further import copies
 * it.
 */
import { MAX_ATTEMPTS_PER_ROUND } from '../../store/imports/progress.ts';

export const IMAGE_PAUSES_MS = [2_000, 20_000, 120_000];
/** For a host that does not respond at all: old posts often show pictures of closed sites. */
const MAX_PAUSES_WITHOUT_RESPONSE = 1;

export interface ImageRetryPlan {
  /** Before the next attempt, if there is one. */
  pauseMs: number;
  /** Whether to retry a busy host (`forBusy`) and one that does not respond (`forSilent`). */
  forBusy: boolean;
  forSilent: boolean;
}

/** `attempts`: made before this one. After the first, the other posts follow instead of a pause. */
export function planImageRetries(attempts: number, pausesMs: readonly number[]): ImageRetryPlan {
  const paused = Math.max(0, attempts - MAX_ATTEMPTS_PER_ROUND);
  return {
    pauseMs: pausesMs[paused] ?? 0,
    forBusy: attempts < MAX_ATTEMPTS_PER_ROUND || paused < pausesMs.length,
    forSilent: attempts < MAX_ATTEMPTS_PER_ROUND || paused < MAX_PAUSES_WITHOUT_RESPONSE,
  };
}
