/** Sends a request to a source, with limits, no private address, and a check of each redirect. */
import { gunzipSync } from 'node:zlib';
import type { ImportRefusalCode } from '../article/import/refusal-codes.ts';
import { type Exchange, exchange, type HttpRequest, type HttpResponse } from '../destinations/http/exchange.ts';
import { parseRetryAfter } from '../destinations/http/retry-after.ts';
import type { RequestContext, SourceFault, SourceResult } from './types.ts';

const MAX_REDIRECTS = 4;

export interface SourceRequest extends HttpRequest {
  maxBytes: number;
  /** The resource, for use in a sentence: "The feed". */
  name: string;
}

export interface SourceResponse extends HttpResponse {
  /** The address after redirects. */
  url: string;
}

/** Returns the response for any status except 429 and 5xx, which become `retryLater`. */
export async function requestSource(
  request: SourceRequest,
  context: RequestContext,
): Promise<SourceResult<SourceResponse>> {
  const { name, ...first } = request;
  const deadline = performance.now() + context.timeoutMs;
  let url = first.url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const timeoutMs = Math.ceil(deadline - performance.now());
    if (timeoutMs <= 0) return retryLater(`${name} did not respond in time.`, null, 'silent');
    const { allowPrivate, signal } = context;
    const outcome = await exchange({ ...first, url }, { timeoutMs, signal, addresses: { allowPrivate } });
    if (outcome.kind === 'redirect' && first.method === 'GET') {
      if (outcome.location === null || !URL.canParse(outcome.location, url))
        return refuseSource('redirect', `${name} redirects without an address.`);
      url = new URL(outcome.location, url).href;
      continue;
    }
    return read(outcome, { ...request, url, isLate: performance.now() >= deadline }, context);
  }
  return refuseSource('redirect', `${name} redirects too many times.`);
}

function read(
  outcome: Exchange,
  { name, url, maxBytes, isLate }: SourceRequest & { isLate: boolean },
  context: RequestContext,
): SourceResult<SourceResponse> {
  switch (outcome.kind) {
    case 'refusedAddress':
      return refuseSource('address_refused', outcome.cause);
    case 'tooLarge':
      return refuseSource(
        'too_large',
        `${name} is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB, which is the maximum.`,
      );
    case 'redirect':
      return refuseSource('endpoint_moved', `${name} has moved (HTTP ${outcome.status}).`);
    case 'damagedCredential':
      return refuseSource('address_refused', `${name} cannot be requested.`);
    case 'answer':
      break;
    case 'neverSent':
      return retryLater(`${name} could not be reached: ${outcome.cause}.`, null, 'silent');
    default:
      return retryLater(`${name} could not be reached: ${outcome.cause}.`, null, isLate ? 'silent' : undefined);
  }
  const { status, headers } = outcome;
  const retryAfterMs = parseRetryAfter(headers['retry-after'], context.now());
  if (status === 429) return retryLater(`${name} limits the rate of requests.`, retryAfterMs);
  if (status >= 500 || headers['cf-mitigated'] !== undefined) {
    return retryLater(`${name} is unavailable (HTTP ${status}).`, retryAfterMs);
  }
  const bytes = headers['content-encoding'] === 'gzip' ? unpack(outcome.bytes, maxBytes) : outcome.bytes;
  if (bytes === null)
    return refuseSource(
      'too_large',
      `${name} is compressed, although that was not requested, and is too large or damaged.`,
    );
  return { kind: 'done', value: { ...outcome, bytes, url } };
}

/** Unpacks what some servers compress unasked. Returns null above `maxBytes`. */
function unpack(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch {
    // Larger than the limit, or not gzip.
    return null;
  }
}

export function retryLater(
  reason: string,
  retryAfterMs: number | null = null,
  fault?: SourceFault,
): Extract<SourceResult<never>, { kind: 'later' }> {
  return { kind: 'later', reason, retryAfterMs, ...(fault && { fault }) };
}

export function refuseSource(
  code: ImportRefusalCode,
  reason: string,
): Extract<SourceResult<never>, { kind: 'refused' }> {
  return { kind: 'refused', code, reason };
}
