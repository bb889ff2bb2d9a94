/**
 * What a platform says of its budget before it refuses anything: `RateLimit-Remaining` with `RateLimit-Reset` and their `X-` forms, and the
 * one-line `RateLimit` of the newer draft. Read without trusting them: bounded, and of no effect where they say nothing usable.
 */
import { LONGEST_RETRY_AFTER_MS } from './retry-after.ts';

/** Milliseconds until the budget is there again; 0 where something is left of it, or nothing is said. Names of headers in lower case. */
export function readPause(headers: Record<string, string>, now: Date): number {
  const line = /(?:^|[;,\s])r=(\d{1,9})\b(?:.*?[;,\s]t=(\d{1,9})\b)?/.exec((headers.ratelimit ?? '').slice(0, 500));
  const remaining = line?.[1] ?? readFirst(headers, 'remaining');
  const reset = line ? line[2] : readFirst(headers, 'reset');
  if (remaining === undefined || reset === undefined || !/^\d+$/.test(remaining) || Number(remaining) > 0) return 0;
  if (!/^\d+(\.\d+)?$/.test(reset)) return 0;
  const seconds = Number(reset);
  // Some give the moment, as seconds of the epoch, instead of the time until then.
  const ms = seconds > 1_000_000_000 ? seconds * 1000 - now.getTime() : seconds * 1000;
  return Math.min(Math.max(0, Math.ceil(ms)), LONGEST_RETRY_AFTER_MS);
}

const PREFIXES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

function readFirst(headers: Record<string, string>, what: 'remaining' | 'reset'): string | undefined {
  for (const prefix of PREFIXES) {
    const value = headers[`${prefix}-${what}`]?.trim();
    if (value) return value;
  }
  return undefined;
}
