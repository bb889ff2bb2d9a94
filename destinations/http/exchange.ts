/**
 * The one place that speaks HTTP to destinations. Every exchange has one total time-out, one abort signal, one bound on
 * the answer, the address guard, no redirects, and an ending that says whether the request may have been seen.
 */
import type { Client, Dispatcher } from 'undici';
import { type AddressPolicy, checkAddress, RefusedAddressError } from './address-guard.ts';
import { describeCause, openConnection } from './connection.ts';
import { readJson } from './read-json.ts';

/** Answers are small; only a listing of whole articles needs more and says so. */
const DEFAULT_MAX_BYTES = 1024 * 1024;

/** Forem refuses clients without a name; the others like to know whom to write to. */
const USER_AGENT = 'Courant/1.0 (publishing hub)';

export interface HttpRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as they are, in place of `body`; `content-type` is the caller's. */
  bytes?: Uint8Array;
  maxBytes?: number;
}

export interface HttpContext {
  /** From looking up the name to the last byte of the answer. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  addresses: AddressPolicy;
  /** Given the headers of every answer, whatever its status; names in lower case. */
  onHeaders?: (headers: Record<string, string>) => void;
}

export interface HttpAnswer {
  kind: 'answer';
  status: number;
  /** Names in lower case; the first value of a repeated header. */
  headers: Record<string, string>;
  /** The parsed body; undefined where it is not JSON (a proxy's HTML, nothing at all), or JSON in absurd quantity. */
  json: unknown;
  bytes: Uint8Array;
}

/** Never followed here: where it leads is for whoever asked to decide. */
export interface Redirect {
  kind: 'redirect';
  status: number;
  location: string | null;
}

/** A call that ended without an answer. */
export type NoResponse =
  /** No byte of the request left: the name, the connection or TLS failed. Nothing can have happened. */
  | { kind: 'neverSent'; cause: string }
  /** The guard or the URL forbids the call. */
  | { kind: 'refusedAddress'; cause: string }
  /** A header value cannot be sent: the credential in it holds a line break or other strange characters. */
  | { kind: 'damagedCredential' }
  /** As `lost`, and the reason is that the answer went over `maxBytes`: a listing can ask again for less. */
  | { kind: 'tooLarge'; cause: string }
  /** The request may have arrived and no usable answer came: reset, time-out, abort, cut answer. */
  | { kind: 'lost'; cause: string };

export type Exchange = HttpAnswer | Redirect | NoResponse;

/** Sends one request. Never throws for what a network or a server does. */
export async function exchange(request: HttpRequest, context: HttpContext): Promise<Exchange> {
  let url: URL;
  try {
    url = checkAddress(request.url, context.addresses);
  } catch (error) {
    return { kind: 'refusedAddress', cause: readMessage(error) };
  }
  if (Object.values(request.headers ?? {}).some((value) => !/^[\x20-\x7e]*$/.test(value))) {
    return { kind: 'damagedCredential' };
  }
  if (context.signal?.aborted) return { kind: 'neverSent', cause: 'the call was cancelled' };
  const deadline = AbortSignal.timeout(context.timeoutMs);
  const signal = context.signal ? AbortSignal.any([context.signal, deadline]) : deadline;
  const progress = { connected: false };
  const client = openConnection(url, context, progress);
  try {
    const ended = await converse(client, url, request, signal);
    if (ended.kind === 'answer') context.onHeaders?.(ended.headers);
    return ended;
  } catch (error) {
    if (error instanceof RefusedAddressError) return { kind: 'refusedAddress', cause: error.message };
    const cause = context.signal?.aborted ? 'the call was cancelled' : describeCause(error, deadline);
    return { kind: progress.connected ? 'lost' : 'neverSent', cause };
  } finally {
    // Not `close`: an answer that was cut off must not keep its socket.
    await client.destroy();
  }
}

async function converse(client: Client, url: URL, request: HttpRequest, signal: AbortSignal): Promise<Exchange> {
  const json = request.body === undefined ? null : JSON.stringify(request.body);
  const response = await client.request({
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: {
      'user-agent': USER_AGENT,
      accept: 'application/json',
      // No decompression means no decompression bomb.
      'accept-encoding': 'identity',
      ...(json === null ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    body: request.bytes ?? json,
    signal,
  });
  if (response.statusCode >= 300 && response.statusCode < 400) {
    response.body.on('error', ignoreCutBody).destroy();
    const { location = null } = takeFirstValues(response.headers);
    return { kind: 'redirect', status: response.statusCode, location };
  }
  const bytes = await readBounded(response.body, request.maxBytes ?? DEFAULT_MAX_BYTES);
  if (bytes === null) return { kind: 'tooLarge', cause: 'its answer is larger than any it should give' };
  return {
    kind: 'answer',
    status: response.statusCode,
    headers: takeFirstValues(response.headers),
    json: readJson(bytes),
    bytes,
  };
}

/** The body, or null where it goes over the bound. */
async function readBounded(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

function ignoreCutBody(): void {
  // The body of a redirect is cut off on purpose; its stream says so with an error that tells nothing new.
}

function takeFirstValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const first: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined) first[name.toLowerCase()] = text;
  }
  return first;
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'The address cannot be used.';
}
