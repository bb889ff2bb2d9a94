/** The destinations with shorter waits: a walk has seconds where the product has minutes. */
import { findDestination } from '../../destinations/clients.ts';
import type { Destination, Platform } from '../../destinations/types.ts';

/** Faults that delay a response are longer or shorter than the first: see `plan.ts`. */
export const QUICK_TIMEOUTS = { httpTimeoutMs: 1_500, lateArrivalMs: 500 } as const;

const READ_LAG_MS = 200;
/** After a block deliveries follow the platform's pace, which is hours at Medium. */
const PACE_MS = 1_000;
const REPEAT = { afterMs: 2_000, withinMs: 10 * 60_000 } as const;

export function findQuickDestination(platform: Platform): Destination | null {
  const destination = findDestination(platform);
  if (!destination) return null;
  const { limits } = destination;
  const readLagMs = Math.min(limits.readLagMs, READ_LAG_MS);
  const pacing = { ...limits.pacing, intervalMs: Math.min(limits.pacing.intervalMs, PACE_MS) };
  return { ...destination, limits: { ...limits, pacing, readLagMs, repeat: limits.repeat && REPEAT } };
}
