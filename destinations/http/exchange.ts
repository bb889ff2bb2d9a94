/**
 * Sends every HTTP request to a destination. Each exchange has one time-out, one abort signal, a
 * response limit, the address guard and no redirects. Its result states whether the server may have
 * received the request.
 */
import { buildConnector, Client, type Dispatcher } from 'undici';
import { type AddressPolicy, checkAddress, createGuardedLookup, RefusedAddressError } from './address-guard.ts';
import { readJson } from './read-json.ts';

/** Responses are small. Only a listing of complete articles needs more, and sets its own limit. */
const DEFAULT_MAX_BYTES = 1024 * 1024;

/** Forem refuses clients without one. On other platforms it identifies the sender. */
const USER_AGENT = 'Courant/1.0 (publishing hub)';

export interface HttpRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged instead of `body`. The caller sets `content-type`. */
  bytes?: Uint8Array;
  maxBytes?: number;
}

export interface HttpContext {
  /** From the name look-up to the last byte of the response. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  addresses: AddressPolicy;
}

export interface HttpResponse {
  kind: 'answer';
  status: number;
  /** Names in lower case; the first value of a repeated header. */
  headers: Record<string, string>;
  /** Undefined if the body is not JSON (HTML of a proxy, nothing) or has too many values. */
  json: unknown;
  bytes: Uint8Array;
}

/** Never followed here; the caller decides. */
export interface Redirect {
  kind: 'redirect';
  status: number;
  location: string | null;
}

/** A call that ended without a response. */
export type NoResponse =
  /** No byte of the request was sent: the name, the connection or TLS failed. It had no effect. */
  | { kind: 'neverSent'; cause: string }
  /** The guard or the URL forbids the call. */
  | { kind: 'refusedAddress'; cause: string }
  /** A credential contains a line break or non-ASCII characters, so its header cannot be sent. */
  | { kind: 'damagedCredential' }
  /** Like `lost`, because the response exceeded `maxBytes`. A listing can request less. */
  | { kind: 'tooLarge'; cause: string }
  /** The request may have arrived, and no usable response came: reset, time-out, abort, cut. */
  | { kind: 'lost'; cause: string };

export type Exchange = HttpResponse | Redirect | NoResponse;

/** Sends one request. Never throws for errors of a network or a server. */
export async function exchange(request: HttpRequest, context: HttpContext): Promise<Exchange> {
  let url: URL;
  try {
    url = checkAddress(request.url, context.addresses);
  } catch (error) {
    return { kind: 'refusedAddress', cause: (error as Error).message };
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
    return await converse(client, url, request, signal);
  } catch (error) {
    if (error instanceof RefusedAddressError) return { kind: 'refusedAddress', cause: error.message };
    const cause = context.signal?.aborted ? 'the call was cancelled' : describeCause(error, deadline);
    return { kind: progress.connected ? 'lost' : 'neverSent', cause };
  } finally {
    // Not `close`: a truncated response must not keep its socket open.
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
    // The body is cut off on purpose, and its stream then emits an error.
    response.body.on('error', () => undefined).destroy();
    const { location = null } = takeFirstValues(response.headers);
    return { kind: 'redirect', status: response.statusCode, location };
  }
  const bytes = await readBounded(response.body, request.maxBytes ?? DEFAULT_MAX_BYTES);
  if (bytes === null) return { kind: 'tooLarge', cause: 'its response is too large' };
  return {
    kind: 'answer',
    status: response.statusCode,
    headers: takeFirstValues(response.headers),
    json: readJson(bytes),
    bytes,
  };
}

/** The body, or null if it exceeds the limit. */
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

function takeFirstValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const first: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined) first[name.toLowerCase()] = text;
  }
  return first;
}

/**
 * Each exchange opens its own connection. A reused one that the server just closed would turn a
 * write into an unknown outcome, which costs far more than a handshake. The connector records when
 * the first byte can leave.
 */
function openConnection(url: URL, context: HttpContext, progress: { connected: boolean }): Client {
  const connect = buildConnector({
    lookup: createGuardedLookup(url, context.addresses),
    timeout: context.timeoutMs,
    allowH2: false,
  });
  return new Client(url.origin, {
    headersTimeout: context.timeoutMs,
    bodyTimeout: context.timeoutMs,
    pipelining: 1,
    connect: (options, callback) => {
      connect(options, (error, socket) => {
        if (error) {
          callback(error, null);
        } else {
          progress.connected = true;
          callback(null, socket);
        }
      });
    },
  });
}

/** The reason why an exchange failed, as the end of a sentence for the author. */
function describeCause(error: unknown, deadline: AbortSignal): string {
  if (deadline.aborted) return 'it did not respond in time';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return KNOWN_CAUSES[code] ?? (TLS_CODE.test(code) ? 'its TLS certificate is not valid' : 'the connection failed');
}

const TLS_CODE = /CERT|TLS|SSL|SELF_SIGNED|ISSUER/;

const KNOWN_CAUSES: Record<string, string> = {
  ECONNREFUSED: 'it refuses connections',
  ENOTFOUND: 'its host name does not exist',
  EAI_AGAIN: 'its host name could not be looked up',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'it did not respond in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not respond in time',
  UND_ERR_BODY_TIMEOUT: 'it did not respond in time',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
};
