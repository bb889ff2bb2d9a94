/**
 * How long pictures are waited for that cannot be had at the moment. A post with such a picture goes behind the others, so that it holds up none of
 * them; then it waits in the workflow. At last the picture keeps its address, and a further import copies it.
 */
import { A_TURN } from '../../store/imports/progress.ts';

export const IMAGE_PAUSES_MS = [2_000, 20_000, 120_000];
/** Old posts show pictures of places that are long gone: where nobody answers at all, fewer of these pauses are enough. */
const PAUSES_FOR_SILENCE = 1;

export interface ImagePatience {
  /** Before the next try, where there is one. */
  pauseMs: number;
  /** Whether what is busy, and what is silent, is asked for again. */
  forBusy: boolean;
  forSilent: boolean;
}

/** `attempts` before this one; the first of them is followed by the other posts instead of a pause. */
export function planImagePatience(attempts: number, pausesMs: readonly number[]): ImagePatience {
  const paused = Math.max(0, attempts - A_TURN);
  return {
    pauseMs: pausesMs[paused] ?? 0,
    forBusy: attempts < A_TURN || paused < pausesMs.length,
    forSilent: attempts < A_TURN || paused < PAUSES_FOR_SILENCE,
  };
}
