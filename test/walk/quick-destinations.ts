/** The destinations with shorter waits: seconds in a walk instead of minutes. */
import { findDestination } from '../../destinations/clients.ts';
import type { Destination, Platform } from '../../destinations/types.ts';

/** The faults of `plan.ts` delay responses by less or more than `httpTimeoutMs`. */
export const QUICK_TIMEOUTS = { httpTimeoutMs: 1_500, lateArrivalMs: 500 } as const;

const READ_LAG_MS = 200;
/** After a block, deliveries use the interval of the platform, which is hours at Medium. */
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
