/**
 * Retries a request after network failures, gateway errors and rate limits. Safe for publishing,
 * because every attempt sends the same Idempotency-Key.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type CliHttpResponse, NetworkError } from './http.ts';

export interface RetryOptions {
  signal: AbortSignal;
  /** Called before each wait with a sentence for the user. */
  onWait: (sentence: string) => void;
  /** No attempt starts later than this after the first one. */
  lastTryMs?: number;
}

/**
 * Returns the last response, whatever its status. Throws the last `NetworkError` without one.
 * Retries at most three times for each kind of failure.
 */
export async function sendWithRetries(
  send: () => Promise<CliHttpResponse>,
  options: RetryOptions,
): Promise<CliHttpResponse> {
  const retries: Retries = { failure: 0, limit: 0 };
  const lastStartAt = performance.now() + (options.lastTryMs ?? Number.POSITIVE_INFINITY);
  for (;;) {
    const outcome = await trySending(send);
    const plan = planRetry(outcome, retries);
    if (plan === null || performance.now() + plan.waitMs > lastStartAt) {
      if (outcome instanceof NetworkError) throw outcome;
      return outcome;
    }
    retries[plan.kind] += 1;
    options.onWait(`${plan.why} Retrying in ${formatSeconds(plan.waitMs)}.`);
    await sleep(plan.waitMs, options.signal);
  }
}

/** Returns milliseconds of Retry-After (seconds or date) or RateLimit-Reset; null without them. */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after')?.trim();
  if (value !== undefined && /^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  if (value !== undefined && Number.isNaN(Number(value))) {
    // Both dates come from the server, so a wrong local clock has no effect.
    const from = Date.parse(headers.get('date') ?? '');
    const wait = Date.parse(value) - (Number.isNaN(from) ? now : from);
    if (!Number.isNaN(wait)) return Math.max(0, wait);
  }
  const reset = headers.get('ratelimit-reset')?.trim();
  return reset !== undefined && /^\d{1,9}$/.test(reset) ? Number(reset) * 1_000 : null;
}

export function formatSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  return seconds < 10 ? `${Number(seconds.toFixed(1))} s` : `${Math.ceil(seconds)} s`;
}

/** Numbers of retries after failures and because of the rate limit. */
interface Retries {
  failure: number;
  limit: number;
}

interface RetryPlan {
  kind: keyof Retries;
  waitMs: number;
  why: string;
}

const MAX_RETRIES = 3;
/** People do not wait longer at a terminal, and CI time costs money. */
const MAX_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 500;
const LIMIT_WAIT_MS = 10_000;

async function trySending(send: () => Promise<CliHttpResponse>): Promise<CliHttpResponse | NetworkError> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof NetworkError) return error;
    throw error;
  }
}

function planRetry(outcome: CliHttpResponse | NetworkError, retries: Retries): RetryPlan | null {
  const backoff = FIRST_BACKOFF_MS * 2 ** retries.failure * (0.75 + Math.random() / 2);
  if (outcome instanceof NetworkError) {
    return outcome.retriable && retries.failure < MAX_RETRIES
      ? { kind: 'failure', waitMs: backoff, why: outcome.message }
      : null;
  }
  const delayMs = readRetryAfter(outcome.headers, Date.now());
  if (delayMs !== null && delayMs > MAX_WAIT_MS) return null;
  if (outcome.status === 429) {
    if (retries.limit >= MAX_RETRIES) return null;
    return { kind: 'limit', waitMs: delayMs ?? LIMIT_WAIT_MS, why: 'This token has reached its rate limit (429).' };
  }
  // A 409 after a failure: an earlier attempt with this key, whose response was lost, is in
  // progress.
  const isEarlierAttempt = outcome.status === 409 && retries.failure > 0;
  if (retries.failure >= MAX_RETRIES || !(isEarlierAttempt || [502, 503, 504].includes(outcome.status))) return null;
  return { kind: 'failure', waitMs: delayMs ?? backoff, why: `The server returned ${outcome.status}.` };
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
