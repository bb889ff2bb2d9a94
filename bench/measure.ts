/** Shared by the benchmarks: waiting for something, and reading a sorted list. */
import { setTimeout as sleep } from 'node:timers/promises';

export async function until(
  what: string,
  isThere: () => Promise<boolean>,
  { withinMs = 180_000, everyMs = 50 }: { withinMs?: number; everyMs?: number } = {},
): Promise<void> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(everyMs)) if (await isThere()) return;
  throw new Error(`${what} did not come`);
}

/** A quantile of a sorted list, rounded; `part` from 0 to 1. */
export function quantile(sorted: number[], part: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN);
}
