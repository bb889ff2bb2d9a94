/** Limits the previews of an account. */
import { countHit } from '../../../store/rate-limits/counters.ts';
import type { Viewer } from '../../../store/users/find-viewer.ts';
import { createRateLimitProblem } from '../../plugins/errors/problem.ts';
import type { WriteDeps } from './preview-text.ts';

const MINUTE_MS = 60_000;
/** An editor that pauses for 350 ms before each preview sends at most 171. */
const MAX_PREVIEWS_PER_MINUTE = 180;

/** Throws a `ProblemError` (429) above the limit. */
export async function countPreview({ db }: Pick<WriteDeps, 'db'>, { userId }: Viewer): Promise<void> {
  const { current, ttl } = await countHit(db, `preview:${userId}`, MINUTE_MS);
  if (current <= MAX_PREVIEWS_PER_MINUTE) return;
  const seconds = Math.max(1, Math.ceil(ttl / 1_000));
  const detail = `The preview reached its limit of ${MAX_PREVIEWS_PER_MINUTE} refreshes a minute. Your text is not lost; the preview continues in ${seconds} s.`;
  throw createRateLimitProblem(detail, seconds);
}
