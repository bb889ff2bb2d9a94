/**
 * Whether a post was changed on the platform since our own last write. Only times of the same platform are compared: its
 * clock may differ from ours by any amount.
 */
import type { Failure, Outcome } from '../types.ts';

/** Platforms finish a write after they have answered it; nobody edits by hand within seconds of that. */
const FINISHING_MS = 5000;

/**
 * Why an update must not be sent, or null. `look` reads the post's last change; it is called only where there is a time to
 * compare with. It may be answered from a cache: an older time proves nothing, a later one proves a change.
 */
export async function findDrift(
  label: string,
  unchangedSince: string | null | undefined,
  look: () => Promise<Outcome<string | null>>,
): Promise<Failure | null> {
  if (!unchangedSince) return null;
  const seen = await look();
  // Hidden, withdrawn, gone: the answer to the update itself will tell which.
  if (seen.kind === 'rejected') return null;
  if (seen.kind !== 'done') return seen;
  const changedAt = seen.value;
  if (changedAt === null || !(Date.parse(changedAt) > Date.parse(unchangedSince) + FINISHING_MS)) return null;
  return reportDrift(label, changedAt);
}

export function reportDrift(label: string, changedAt: string): Failure {
  const reason = `The post was changed on ${label} after Courant last wrote it; it was left as it is.`;
  return { kind: 'drifted', changedAt, reason };
}
