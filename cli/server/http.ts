/**
 * Sends one HTTP request to the service, with limits on time and size. Never follows a redirect.
 */
import { readSystemCode } from '../failure.ts';

export interface JsonRequest {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  /** Aborts the request; its reason is thrown. */
  signal: AbortSignal;
  /** Limit of the whole exchange, to the last byte of the response; 30 s by default. */
  timeoutMs?: number;
}

export interface CliHttpResponse {
  status: number;
  statusText: string;
  headers: Headers;
  text: string;
}

/** No usable response. `retriable` is false if a retry would fail in the same way. */
export class NetworkError extends Error {
  readonly code: string;
  readonly retriable: boolean;

  constructor(message: string, code: string, retriable: boolean, cause?: unknown) {
    super(message, { cause });
    this.name = 'NetworkError';
    this.code = code;
    this.retriable = retriable;
  }
}

/**
 * POSTs JSON. Returns a redirect like any other response, because a token must not follow it.
 * Throws `NetworkError`.
 */
export async function postJson(request: JsonRequest): Promise<CliHttpResponse> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(request.signal.reason);
  request.signal.throwIfAborted();
  request.signal.addEventListener('abort', interrupt, { once: true });
  const timeoutMs = request.timeoutMs ?? TIMEOUT_MS;
  const timer = setTimeout(() => controller.abort(describeTimeout(request.url, timeoutMs)), timeoutMs);
  try {
    const response = await fetch(request.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...request.headers },
      body: JSON.stringify(request.body),
      redirect: 'manual',
      signal: controller.signal,
    });
    const { status, statusText, headers } = response;
    return { status, statusText, headers, text: await readText(response, request.url) };
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof NetworkError) throw error;
    throw describeNetworkError(error, request.url);
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', interrupt);
  }
}

const TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Errors that a retry would repeat. */
const PERMANENT_CODES =
  /^(?:NO_CODE|ENOTFOUND|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HPE_|ERR_INVALID|EPROTO)/;

async function readText(response: Response, url: string): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) {
      await reader.cancel();
      throw new NetworkError(
        `${getOrigin(url)} returned more than 1 MiB, so it is not a Courant server.`,
        'TOO_LARGE',
        false,
      );
    }
    text += decoder.decode(value, { stream: true });
  }
}

function describeTimeout(url: string, timeoutMs: number): NetworkError {
  return new NetworkError(`No response from ${getOrigin(url)} within ${timeoutMs / 1_000} s.`, 'TIMEOUT', true);
}

function describeNetworkError(error: unknown, url: string): NetworkError {
  const code = readSystemCode(error) ?? 'NO_CODE';
  return new NetworkError(explainFailure(code, error, url), code, !PERMANENT_CODES.test(code), error);
}

function explainFailure(code: string, error: unknown, url: string): string {
  const origin = getOrigin(url);
  if (code === 'ECONNREFUSED') return `Cannot connect to ${origin} (${code}). Is the server running?`;
  if (code === 'ENOTFOUND') return `The host of ${origin} does not exist (${code}). Is the endpoint spelled correctly?`;
  if (code === 'EAI_AGAIN') return `The host of ${origin} could not be resolved (${code}). Is this machine online?`;
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') {
    return `The connection to ${origin} closed before a response arrived (${code}).`;
  }
  return `The request to ${origin} failed: ${findRootMessage(error)}${code === 'NO_CODE' ? '' : ` (${code})`}.`;
}

/** The message is "fetch failed"; the reason is in the cause of its cause. */
function findRootMessage(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 4 && current instanceof Error && current.cause instanceof Error; depth += 1) {
    current = current.cause;
  }
  return current instanceof Error ? current.message : String(current);
}

function getOrigin(url: string): string {
  return new URL(url).origin;
}
