/** Detects changes since our last write, by times of the platform's own clock only. */
import type { Failure, Outcome } from '../types.ts';

/**
 * Platforms finish a write after they respond (caches, counters, hooks of plugins), and some store
 * whole seconds only. No person edits a post within seconds of our write.
 */
const FINISHING_MS = 5000;

/**
 * The reason why an update must not be sent, or null. `readChangedAt` reads the post's last change,
 * and is called only with a time to compare. It may use a cache: an older time proves nothing, a
 * later one proves a change.
 */
export async function findDrift(
  label: string,
  unchangedSince: string | null | undefined,
  readChangedAt: () => Promise<Outcome<string | null>>,
): Promise<Failure | null> {
  if (!unchangedSince) return null;
  const current = await readChangedAt();
  // The post is hidden, withdrawn or gone. The response to the update itself shows which.
  if (current.kind === 'rejected') return null;
  if (current.kind !== 'done') return current;
  return isChangedSince(current.value, unchangedSince) ? reportDrift(label, current.value) : null;
}

/** True if the post changed later than a platform needs to finish our own write. */
export function isChangedSince(
  changedAt: string | null,
  unchangedSince: string | null | undefined,
): changedAt is string {
  if (changedAt === null || !unchangedSince) return false;
  return Date.parse(changedAt) > Date.parse(unchangedSince) + FINISHING_MS;
}

export function reportDrift(label: string, changedAt: string): Failure {
  const reason = `The copy was edited on ${label} after Courant last wrote it, so Courant did not change it.`;
  return { kind: 'drifted', changedAt, reason };
}
