/** A process that has become idle gives its memory back: after its start, and after each time that was busy. */
import { performance } from 'node:perf_hooks';
import { collectGarbage, type Thoroughness } from './collect-garbage.ts';

const LOOK_EVERY_MS = 10_000;
/** The part of its time that the event loop works; idle, it is 0.01, and a few times that on a machine that others keep busy. */
const BUSY = 0.15;
/** Visitors who come and go must not have the process stop for them every few seconds. */
const AT_MOST_EVERY_MS = 300_000;

export interface IdleOptions {
  thoroughness: Thoroughness;
  lookEveryMs?: number;
  atMostEveryMs?: number;
  collect?: (thoroughness: Thoroughness) => Promise<void>;
}

/** Does not keep the process running. */
export function collectWhenIdle({
  thoroughness,
  lookEveryMs = LOOK_EVERY_MS,
  atMostEveryMs = AT_MOST_EVERY_MS,
  collect = collectGarbage,
}: IdleOptions): { stop(): void } {
  let before = performance.eventLoopUtilization();
  let isDue = true;
  let collectedAt = Number.NEGATIVE_INFINITY;
  const look = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization >= BUSY) isDue = true;
    else if (isDue && performance.now() - collectedAt >= atMostEveryMs) {
      isDue = false;
      collectedAt = performance.now();
      void collect(thoroughness);
    }
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return { stop: () => clearInterval(timer) };
}
