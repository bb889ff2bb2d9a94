/** Formats the results of a load. */
import type { LoadResult } from './paced.ts';

export function describeLoad({ name, sent, times, failures, retryHints }: LoadResult, seconds: number): string {
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
  const rate = (times.length / seconds).toFixed(1).padStart(8);
  const [p50, p99] = [at(0.5), at(0.99)].map((ms) => ms.toFixed(0).padStart(6));
  const list = [...failures].map(([code, count]) => `${count} × ${code}`).join(', ');
  const refused =
    list === '' ? 'no error' : `${list}${retryHints > 0 ? ` (${retryHints} said when to come again)` : ''}`;
  return `  ${name.padEnd(34)} ${String(sent).padStart(6)} sent ${rate}/s   p50 ${p50} ms   p99 ${p99} ms   ${refused}`;
}

export interface MemorySample {
  api: number;
  worker: number;
}

/**
 * Formats the average of the first and last quarter in MB, which shows a leak but not the variation
 * of the heap.
 */
export function describeGrowth(samples: readonly MemorySample[]): string {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const part = (list: readonly MemorySample[], key: keyof MemorySample) =>
    (list.reduce((sum, sample) => sum + sample[key], 0) / list.length).toFixed(0);
  const line = (key: keyof MemorySample) =>
    `${key} ${part(samples.slice(0, quarter), key)} → ${part(samples.slice(-quarter), key)} MB`;
  return `${line('api')}, ${line('worker')}`;
}
