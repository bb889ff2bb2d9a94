/** Reads `Retry-After` (RFC 9110, 10.2.3): seconds or a date, bounded. Else null. */

/** No platform here requires more than five minutes; wrong clocks and proxies do. */
export const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;

/**
 * Milliseconds to wait, from 0 to one hour. Null if the header is absent or unusable (a negative
 * number, a word). A date in the past means now. `sentAt`, the response's own `Date`, has
 * precedence over our clock.
 */
export function parseRetryAfter(value: string | null | undefined, now: Date, sentAt?: string): number | null {
  const text = value?.trim().slice(0, 100) ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return bound(Number(text) * 1000);
  // A date starts with the name of a day. `Date.parse` alone would read "1" or "-5" as a year.
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return null;
  const at = Date.parse(text);
  const since = Date.parse(sentAt ?? '');
  return Number.isNaN(at) ? null : bound(at - (Number.isNaN(since) ? now.getTime() : since));
}

function bound(milliseconds: number): number {
  return Math.min(Math.max(Math.ceil(milliseconds), 0), MAX_RETRY_AFTER_MS);
}
