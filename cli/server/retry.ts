/**
 * Retries a request after network failures, gateway errors and rate limits. Safe for publishing,
 * because every attempt sends the same Idempotency-Key.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type CliHttpResponse, type JsonRequest, NetworkError, postJson } from './http.ts';

export interface RetryOptions {
  /** Called before each wait with a sentence for the user. */
  onWait: (sentence: string) => void;
  /** No attempt starts later than this after the first one. */
  lastTryMs?: number | undefined;
}

/**
 * Returns the last response, whatever its status. Throws the last `NetworkError` without one.
 * Retries at most three times for each kind of failure.
 */
export async function postWithRetries(
  request: JsonRequest,
  { onWait, lastTryMs = Number.POSITIVE_INFINITY }: RetryOptions,
): Promise<CliHttpResponse> {
  const retries: Retries = { failure: 0, limit: 0 };
  const lastStartAt = performance.now() + lastTryMs;
  for (;;) {
    const outcome = await postJson(request).catch((error: unknown) => {
      if (error instanceof NetworkError) return error;
      throw error;
    });
    const plan = planRetry(outcome, retries);
    if (plan === null || performance.now() + plan.waitMs > lastStartAt) {
      if (outcome instanceof NetworkError) throw outcome;
      return outcome;
    }
    retries[plan.kind] += 1;
    onWait(`${plan.why} Retrying in ${formatSeconds(plan.waitMs)}.`);
    await sleep(plan.waitMs, request.signal);
  }
}

/** Throws the reason of the signal if it aborts. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Returns milliseconds of Retry-After (seconds or date) or RateLimit-Reset; null without them. */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after') ?? '';
  const seconds = [value, headers.get('ratelimit-reset') ?? ''].find((text) => /^\d{1,9}$/.test(text));
  // Both dates come from the server, so a wrong local clock has no effect.
  const from = Date.parse(headers.get('date') ?? '') || now;
  const date = Number.isNaN(Number(value)) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(date)) return Math.max(0, date - from);
  return seconds === undefined ? null : Number(seconds) * 1_000;
}

export function formatSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  return seconds < 10 ? `${Number(seconds.toFixed(1))} s` : `${Math.ceil(seconds)} s`;
}

/** Numbers of retries after failures and because of the rate limit. */
type Retries = Record<'failure' | 'limit', number>;

const MAX_RETRIES = 3;
/** People do not wait longer at a terminal, and CI time costs money. */
const MAX_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 500;
const LIMIT_WAIT_MS = 10_000;

function planRetry(
  outcome: CliHttpResponse | NetworkError,
  retries: Retries,
): { kind: keyof Retries; waitMs: number; why: string } | null {
  const isFailureLeft = retries.failure < MAX_RETRIES;
  const backoff = FIRST_BACKOFF_MS * 2 ** retries.failure * (0.75 + Math.random() / 2);
  if (outcome instanceof NetworkError)
    return outcome.retriable && isFailureLeft ? { kind: 'failure', waitMs: backoff, why: outcome.message } : null;
  const { status, headers } = outcome;
  const delayMs = readRetryAfter(headers, Date.now());
  if (delayMs !== null && delayMs > MAX_WAIT_MS) return null;
  if (status === 429) {
    if (retries.limit >= MAX_RETRIES) return null;
    return { kind: 'limit', waitMs: delayMs ?? LIMIT_WAIT_MS, why: 'This token has reached its rate limit (429).' };
  }
  // A 409 after a failure: an earlier attempt with this key, whose response was lost, is in
  // progress.
  const isRetriable = [502, 503, 504].includes(status) || (status === 409 && retries.failure > 0);
  if (!isFailureLeft || !isRetriable) return null;
  return { kind: 'failure', waitMs: delayMs ?? backoff, why: `The server returned ${status}.` };
}
