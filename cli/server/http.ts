/**
 * Sends one HTTP request to the service, with limits on time and size. Never follows a redirect.
 */
import { createFailure, Failure, readSystemCode } from '../failure.ts';
import { USER_AGENT } from '../version.ts';

export interface JsonRequest {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  /** Aborts the request; its reason is thrown. */
  signal: AbortSignal;
  /** Limit of the whole exchange, to the last byte of the response; 30 s by default. */
  timeoutMs?: number | undefined;
}

export interface CliHttpResponse {
  status: number;
  statusText: string;
  headers: Headers;
  text: string;
}

/** No usable response. `retriable` is false if a retry would fail in the same way. */
export class NetworkError extends Failure {
  readonly retriable: boolean;

  constructor(message: string, retriable: boolean, cause?: unknown) {
    super(1, message, { cause });
    this.retriable = retriable;
  }
}

/**
 * POSTs JSON. Returns a redirect like any other response, because a token must not follow it.
 * Throws `NetworkError`.
 */
export async function postJson({ url, headers, body, ...request }: JsonRequest): Promise<CliHttpResponse> {
  const { signal, timeoutMs = TIMEOUT_MS } = request;
  const { origin } = new URL(url);
  const timeout = AbortSignal.timeout(timeoutMs);
  signal.throwIfAborted();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    const { status, statusText } = response;
    return { status, statusText, headers: response.headers, text: await readText(response, origin) };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new NetworkError(`No response from ${origin} within ${timeoutMs / 1_000} s.`, true);
    if (error instanceof NetworkError) throw error;
    const code = readSystemCode(error) ?? 'NO_CODE';
    throw new NetworkError(explainFailure(code, error, origin), !PERMANENT_CODES.test(code), error);
  }
}

const TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Errors that a retry would repeat. */
const PERMANENT_CODES =
  /^(?:NO_CODE|ENOTFOUND|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HPE_|ERR_INVALID|EPROTO)/;

async function readText({ body }: Response, origin: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_RESPONSE_BYTES)
      throw new NetworkError(`${origin} returned more than 1 MiB, so it is not a Courant server.`, false);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function explainFailure(code: string, error: unknown, origin: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `Cannot connect to ${origin} (${code}). Is the server running?`;
    case 'ENOTFOUND':
      return `The host of ${origin} does not exist (${code}). Is the endpoint spelled correctly?`;
    case 'EAI_AGAIN':
      return `The host of ${origin} could not be resolved (${code}). Is this machine online?`;
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return `The connection to ${origin} closed before a response arrived (${code}).`;
    default:
      return `The request to ${origin} failed: ${findRootMessage(error)}${code === 'NO_CODE' ? '' : ` (${code})`}.`;
  }
}

/** The message is "fetch failed"; the reason is in the cause of its cause. */
function findRootMessage(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? findRootMessage(cause) : message;
}

/** For a response that is not of a Courant server. */
export function createForeignFailure(url: string, { status, headers }: CliHttpResponse): Failure {
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type';
  return createFailure(`${url} returned ${status} (${type}), which is not a response of a Courant server.`, {
    hints: ['Is the endpoint correct? See --endpoint and "courant whoami".'],
    server: { status },
  });
}
