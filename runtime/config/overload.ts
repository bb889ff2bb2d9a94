/** Reads the limits above which a process rejects requests at once. */
import type { EnvironmentReader } from './environment.ts';

export interface OverloadLimits {
  /** Mean event-loop delay within a second. 0 disables the limit, as in the fields below. */
  eventLoopDelayMs: number;
  /** The longest current wait for a database connection. */
  databaseWaitMs: number;
  /** Event-loop utilisation within a second, in percent. */
  eventLoopPercent: number;
  heapBytes: number;
  rssBytes: number;
}

const MIB = 1024 * 1024;

export function readOverloadLimits(env: EnvironmentReader): OverloadLimits {
  return {
    eventLoopDelayMs: env.integer('MAX_EVENT_LOOP_DELAY_MS', { fallback: 1_000, min: 0, max: 60_000 }),
    databaseWaitMs: env.integer('MAX_DATABASE_WAIT_MS', { fallback: 2_000, min: 0, max: 60_000 }),
    eventLoopPercent: env.integer('MAX_EVENT_LOOP_PERCENT', { fallback: 0, min: 0, max: 100 }),
    heapBytes: MIB * env.integer('MAX_HEAP_MB', { fallback: 0, min: 0, max: 1_048_576 }),
    rssBytes: MIB * env.integer('MAX_RSS_MB', { fallback: 0, min: 0, max: 1_048_576 }),
  };
}
