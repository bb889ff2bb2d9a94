/**
 * Sends a request to a source. Blocks private addresses, bounds time and size, checks each
 * redirect, and maps failures to import results.
 */
import { gunzipSync } from 'node:zlib';
import { type Exchange, exchange, type HttpAnswer, type HttpRequest } from '../destinations/http/exchange.ts';
import { parseRetryAfter } from '../destinations/http/retry-after.ts';
import type { AskContext, Fault, Reading } from './types.ts';

const MAX_REDIRECTS = 4;

export interface SourceRequest extends HttpRequest {
  maxBytes: number;
  /** The resource, for use in a sentence: "The feed". */
  name: string;
}

export interface SourceAnswer extends HttpAnswer {
  /** The address after redirects. */
  url: string;
}

/** Returns the response for any status except 429 and 5xx, which become `later`. */
export async function ask(request: SourceRequest, context: AskContext): Promise<Reading<SourceAnswer>> {
  const { name, ...first } = request;
  const deadline = performance.now() + context.timeoutMs;
  let url = first.url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const timeoutMs = Math.ceil(deadline - performance.now());
    if (timeoutMs <= 0) return later(`${name} did not answer in time.`, null, 'silent');
    const { allowPrivate, signal } = context;
    const ended = await exchange({ ...first, url }, { timeoutMs, signal, addresses: { allowPrivate } });
    if (ended.kind === 'redirect' && first.method === 'GET') {
      if (ended.location === null || !URL.canParse(ended.location, url))
        return refuse('redirect', `${name} redirects to no address.`);
      url = new URL(ended.location, url).href;
      continue;
    }
    return read(ended, { ...request, url, isLate: performance.now() >= deadline }, context);
  }
  return refuse('redirect', `${name} redirects too often.`);
}

function read(
  ended: Exchange,
  { name, url, maxBytes, isLate }: SourceRequest & { isLate: boolean },
  context: AskContext,
): Reading<SourceAnswer> {
  switch (ended.kind) {
    case 'refusedAddress':
      return refuse('address_refused', ended.cause);
    case 'tooLarge':
      return refuse(
        'too_large',
        `${name} is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB, which is the most that is read.`,
      );
    case 'redirect':
      return refuse('endpoint_moved', `${name} has moved (HTTP ${ended.status}).`);
    case 'damagedCredential':
      return refuse('address_refused', `${name} cannot be called.`);
    case 'answer':
      break;
    case 'neverSent':
      return later(`${name} could not be reached: ${ended.cause}.`, null, 'silent');
    default:
      return later(`${name} could not be reached: ${ended.cause}.`, null, isLate ? 'silent' : undefined);
  }
  const { status, headers } = ended;
  const retryAfterMs = parseRetryAfter(headers['retry-after'], context.now());
  if (status === 429) return later(`${name} asks to be asked less often.`, retryAfterMs);
  if (status >= 500 || headers['cf-mitigated'] !== undefined) {
    return later(`${name} is not available at the moment (HTTP ${status}).`, retryAfterMs);
  }
  const bytes = headers['content-encoding'] === 'gzip' ? unpack(ended.bytes, maxBytes) : ended.bytes;
  if (bytes === null)
    return refuse('too_large', `${name} is compressed, though that was not asked for, and too large or damaged.`);
  return { kind: 'done', value: { ...ended, bytes, url } };
}

/**
 * Unpacks a response, because some servers compress without a request for it. Returns null above
 * `maxBytes`.
 */
function unpack(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch {
    // Larger than the limit, or not gzip.
    return null;
  }
}

export function later(
  reason: string,
  retryAfterMs: number | null = null,
  fault?: Fault,
): Extract<Reading<never>, { kind: 'later' }> {
  return { kind: 'later', reason, retryAfterMs, ...(fault && { fault }) };
}

export function refuse(code: string, reason: string): Extract<Reading<never>, { kind: 'refused' }> {
  return { kind: 'refused', code, reason };
}
