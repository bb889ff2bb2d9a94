/**
 * Reads rate-limit headers before the platform refuses anything: `RateLimit-Remaining` with
 * `RateLimit-Reset`, their `X-` forms, and `RateLimit` of the newer draft. Unusable values have no
 * effect, and the pause is bounded.
 */
import { MAX_RETRY_AFTER_MS } from './retry-after.ts';

/**
 * Milliseconds until requests are allowed again. 0 if some remain, or without such headers. Header
 * names in lower case.
 */
export function readPause(headers: Record<string, string>, now: Date): number {
  const line = /(?:^|[;,\s])r=(\d{1,9})\b(?:.*?[;,\s]t=(\d{1,9})\b)?/.exec((headers.ratelimit ?? '').slice(0, 500));
  const remaining = line?.[1] ?? readFirst(headers, 'remaining');
  const reset = line ? line[2] : readFirst(headers, 'reset');
  if (remaining === undefined || reset === undefined || !/^\d+$/.test(remaining) || Number(remaining) > 0) return 0;
  if (!/^\d+(\.\d+)?$/.test(reset)) return 0;
  const seconds = Number(reset);
  // Some platforms send a moment (seconds since 1970) instead of a duration.
  const ms = seconds > 1_000_000_000 ? seconds * 1000 - now.getTime() : seconds * 1000;
  return Math.min(Math.max(0, Math.ceil(ms)), MAX_RETRY_AFTER_MS);
}

const PREFIXES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

function readFirst(headers: Record<string, string>, field: 'remaining' | 'reset'): string | undefined {
  for (const prefix of PREFIXES) {
    const value = headers[`${prefix}-${field}`]?.trim();
    if (value) return value;
  }
  return undefined;
}
