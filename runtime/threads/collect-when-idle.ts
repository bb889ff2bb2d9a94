/** Collects garbage when a process becomes idle: after its start and after each busy period. */
import { performance } from 'node:perf_hooks';
import { collectGarbage, type Thoroughness } from './collect-garbage.ts';

const CHECK_INTERVAL_MS = 10_000;
/**
 * Event loop utilization above this is busy. An idle process has 0.01, or a few times that on a
 * busy machine.
 */
const BUSY_UTILIZATION = 0.15;
/** Prevents a pause every few seconds if visitors come and go. */
const MIN_COLLECT_INTERVAL_MS = 300_000;

export interface IdleOptions {
  thoroughness: Thoroughness;
  checkIntervalMs?: number;
  minCollectIntervalMs?: number;
  collect?: (thoroughness: Thoroughness) => Promise<void>;
}

/** Does not keep the process running. */
export function collectWhenIdle({
  thoroughness,
  checkIntervalMs = CHECK_INTERVAL_MS,
  minCollectIntervalMs = MIN_COLLECT_INTERVAL_MS,
  collect = collectGarbage,
}: IdleOptions): { stop(): void } {
  let before = performance.eventLoopUtilization();
  let isDue = true;
  let collectedAt = Number.NEGATIVE_INFINITY;
  const check = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization >= BUSY_UTILIZATION) isDue = true;
    else if (isDue && performance.now() - collectedAt >= minCollectIntervalMs) {
      isDue = false;
      collectedAt = performance.now();
      void collect(thoroughness);
    }
  };
  const timer = setInterval(check, checkIntervalMs).unref();
  return { stop: () => clearInterval(timer) };
}
