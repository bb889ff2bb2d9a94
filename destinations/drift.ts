/**
 * Whether a post was changed over there since our own last write. Times of a platform are compared with times of the same
 * platform only: its clock may differ from ours by any amount.
 */
import type { Outcome } from './types.ts';

/** Platforms finish a write after they have answered it; nobody edits by hand within seconds of that. */
const SETTLING_MS = 5000;

/**
 * What keeps an update from being sent, or null. `look` reads the post's last change; it is asked only where there is
 * something to compare. It may be answered from a cache: an older time proves nothing, a later one proves a change.
 */
export async function findDrift(
  label: string,
  unchangedSince: string | null | undefined,
  look: () => Promise<Outcome<string | null>>,
): Promise<Exclude<Outcome<never>, { kind: 'done' }> | null> {
  if (!unchangedSince) return null;
  const seen = await look();
  // Hidden, withdrawn, gone: the update itself will be told which, and in words that fit.
  if (seen.kind === 'rejected') return null;
  if (seen.kind !== 'done') return seen;
  const changedAt = seen.value;
  if (changedAt === null || !(Date.parse(changedAt) > Date.parse(unchangedSince) + SETTLING_MS)) return null;
  const reason = `The post was changed on ${label} after Courant last wrote it; it was left as it is.`;
  return { kind: 'drifted', changedAt, reason };
}

/** Later years have another form, which databases do not know. */
const YEAR_10000 = Date.UTC(10_000, 0);

/** The first of the values that is a time of our era, in ISO 8601; null where none is. */
export function readTime(...values: unknown[]): string | null {
  for (const value of values) {
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (at > 0 && at < YEAR_10000) return new Date(at).toISOString();
  }
  return null;
}
