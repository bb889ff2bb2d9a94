/**
 * A public response as sent: its headers, and its body in each content coding requested so far. A
 * strong ETag identifies bytes, so each coding has its own. It also covers the headers, so that a
 * 304 need not repeat them.
 */
import { createHash } from 'node:crypto';
import { validateHeaderValue } from 'node:http';
import { SECURITY_HEADERS } from '../plugins/response-headers.ts';
import { type Coding, compress, isWorthCompressing } from './encodings.ts';
import type { Match, Validators } from './preconditions.ts';
import type { PermanentRedirect, PublicResponse } from './public-response.ts';

/**
 * Requires revalidation of every use. A browser may show a stale response for one second meanwhile,
 * which limits how long a withdrawn article remains visible.
 */
const CACHE_CONTROL = 'public, max-age=0, stale-while-revalidate=1';
/** `lastModifiedFrom` of an encoded response with headers that never change. */
const ALREADY_DATED = 0;
/** Approximate size of the headers of an encoded response, in all their forms. */
const OVERHEAD_BYTES = 2_000;

/** Headers that a 304 must repeat (RFC 9110, 15.4.5), and the CORS headers. */
const NOT_MODIFIED_HEADERS = /^(cache-control|content-location|vary|access-control-.*)$/;

/** Names are in lower case. */
type Headers = Record<string, string>;

export interface EncodedResponse {
  status: number;
  body: Buffer;
  headers: Headers;
  /** Null if clients must not store the response. */
  validators: Validators | null;
  /** By matched condition: a client with only a date may have the headers of an older version. */
  notModified: Record<Match, Headers>;
  /** Time from which the headers have a `Last-Modified`, in milliseconds since 1970. */
  lastModifiedFrom: number;
}

export class CachedResponse {
  readonly cacheTags: PublicResponse['cacheTags'];
  readonly isCacheable: boolean;
  readonly variesByAccept: boolean;
  readonly #status: number;
  readonly #body: Buffer;
  readonly #hash: string;
  /** Last change, rounded up to the next second, so that no two versions share a date. */
  readonly #lastModified: number | null;
  readonly #hasCodings: boolean;
  readonly #common: Headers;
  readonly #bodyHeaders: Headers;
  readonly #encodings = new Map<Coding, EncodedResponse>();
  readonly #pendingEncodings = new Map<Coding, Promise<EncodedResponse>>();

  constructor(response: PublicResponse | PermanentRedirect) {
    const { type, body, headers, lastModified } = response.status === 301 ? MOVED : response;
    this.cacheTags = response.cacheTags;
    this.isCacheable = (response.status === 200 || response.status === 301) && response.cacheTags.length > 0;
    this.#status = response.status;
    this.#body = copyToOwnMemory(typeof body === 'string' ? Buffer.from(body) : body);
    this.#lastModified = lastModified && (Math.floor(lastModified.getTime() / 1000) + 1) * 1000;
    this.#hasCodings = isWorthCompressing(type, this.#body);
    this.#bodyHeaders = response.status === 301 ? { location: response.location } : { 'content-type': type };
    const ownHeaders = lowerNames(headers);
    this.variesByAccept = (ownHeaders.vary ?? '').split(/[\s,]+/).some((name) => name.toLowerCase() === 'accept');
    this.#common = { ...SECURITY_HEADERS, ...ownHeaders };
    this.#common['cache-control'] ??= response.status === 301 || lastModified ? CACHE_CONTROL : 'no-store';
    const { vary } = ownHeaders;
    if (this.#hasCodings) this.#common.vary = vary ? `${vary}, accept-encoding` : 'accept-encoding';
    // An invalid header fails one request here. In the fast path it would end the process.
    for (const headers of [this.#common, this.#bodyHeaders]) {
      for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
    }
    const hash = createHash('sha256')
      .update(JSON.stringify([this.#common, this.#bodyHeaders]))
      .update(this.#body);
    this.#hash = hash.digest('base64url').slice(0, 27);
  }

  /** Approximate size in memory. Grows with each further coding. */
  get bytes(): number {
    let bytes = OVERHEAD_BYTES + this.#body.length;
    for (const { body } of this.#encodings.values()) bytes += OVERHEAD_BYTES + (body === this.#body ? 0 : body.length);
    return bytes;
  }

  /** Returns undefined if the body was not encoded with this coding yet. */
  getEncoded(preferred: Coding): EncodedResponse | undefined {
    const coding = this.#hasCodings ? preferred : 'identity';
    const encoded = this.#encodings.get(coding);
    if (!encoded || encoded.lastModifiedFrom === ALREADY_DATED || Date.now() < encoded.lastModifiedFrom) return encoded;
    return this.#storeEncoded(coding, encoded.body);
  }

  encodeBody(preferred: Coding): Promise<EncodedResponse> {
    const coding = this.#hasCodings ? preferred : 'identity';
    const pending = this.#pendingEncodings.get(coding);
    if (pending) return pending;
    const encoded = this.#encode(coding);
    this.#pendingEncodings.set(coding, encoded);
    return encoded;
  }

  async #encode(coding: Coding): Promise<EncodedResponse> {
    if (coding === 'identity') return this.#storeEncoded(coding, this.#body);
    return this.#storeEncoded(coding, copyToOwnMemory(await compress(this.#body, coding)));
  }

  #storeEncoded(coding: Coding, body: Buffer): EncodedResponse {
    const validators = this.#buildValidators(coding);
    const isDated = !validators || validators.lastModified <= Date.now();
    const versionHeaders: Headers = validators ? { etag: validators.etag } : {};
    if (validators && isDated) versionHeaders['last-modified'] = new Date(validators.lastModified).toUTCString();
    const bodyHeaders = { ...this.#bodyHeaders, 'content-length': String(body.length) };
    const codingHeaders = coding === 'identity' ? {} : { 'content-encoding': coding };
    const repeated = Object.entries(this.#common).filter(([name]) => NOT_MODIFIED_HEADERS.test(name));
    const encoded: EncodedResponse = {
      status: this.#status,
      body,
      headers: { ...this.#common, ...versionHeaders, ...bodyHeaders, ...codingHeaders },
      validators,
      notModified: {
        tag: { ...Object.fromEntries(repeated), ...versionHeaders },
        date: { ...this.#common, ...versionHeaders },
      },
      lastModifiedFrom: validators && !isDated ? validators.lastModified : ALREADY_DATED,
    };
    this.#encodings.set(coding, encoded);
    return encoded;
  }

  #buildValidators(coding: Coding): Validators | null {
    if (this.#lastModified === null || this.#status !== 200) return null;
    const etag = coding === 'identity' ? `"${this.#hash}"` : `"${this.#hash}-${coding}"`;
    return { etag, lastModified: this.#lastModified };
  }
}

/**
 * Node returns slices of larger buffers for short texts and compressed bodies. A slice keeps all of
 * the larger buffer in memory, which the size of a cached response does not include.
 */
export function copyToOwnMemory(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

const MOVED = { type: '', body: '', headers: {}, lastModified: null };

function lowerNames(headers: Headers = {}): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
