/** Shared by the benchmarks: waiting for a condition, and quantiles. */
import { setTimeout as sleep } from 'node:timers/promises';

export async function waitUntil(
  what: string,
  condition: () => Promise<boolean>,
  { withinMs = 180_000, everyMs = 50 }: { withinMs?: number; everyMs?: number } = {},
): Promise<void> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(everyMs)) if (await condition()) return;
  throw new Error(`${what} did not come`);
}

/** Returns a quantile of a sorted list, rounded. `part` is from 0 to 1. */
export function quantile(sorted: number[], part: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN);
}

/** Returns the median; of an even number of values, the upper one. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
