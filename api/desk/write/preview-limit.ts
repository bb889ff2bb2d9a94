/** Who may have a text previewed, and how often. Checked before the text is read. */
import { countHit } from '../../../store/rate-limits/counters.ts';
import type { Viewer } from '../../../store/users/find-viewer.ts';
import { requireConfirmedPerson } from '../../auth/session-hook.ts';
import { ProblemError } from '../../errors/problem.ts';
import type { WriteDeps } from './preview-text.ts';

const MINUTE_MS = 60_000;
/** An editor that pauses for 350 ms before each preview sends at most 171. */
const MAX_PREVIEWS_PER_MINUTE = 180;

/** Throws `ProblemError` or `RefusedCommandError`. */
export async function countPreview({ db }: Pick<WriteDeps, 'db'>, viewer: Viewer): Promise<void> {
  const { current, ttl } = await countHit(db, `preview:${requireConfirmedPerson(viewer)}`, MINUTE_MS);
  if (current <= MAX_PREVIEWS_PER_MINUTE) return;
  const seconds = Math.max(1, Math.ceil(ttl / 1_000));
  const detail = `The preview was refreshed ${MAX_PREVIEWS_PER_MINUTE} times within a minute, which is the limit. Your text is kept; the preview continues in ${seconds} s.`;
  throw new ProblemError(429, 'rate_limited', detail, { headers: { 'retry-after': String(seconds) } });
}
