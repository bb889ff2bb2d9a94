/** Publishes a document over REST and reads the response. */
import { randomUUID } from 'node:crypto';
import { DESTINATION_KEYS, type DestinationKey, type Notice } from '../../article/types.ts';
import type { ChosenToken } from '../credentials/token.ts';
import { createFailure, type Failure } from '../failure.ts';
import { USER_AGENT } from '../version.ts';
import type { Endpoint } from './endpoint.ts';
import { type CliHttpResponse, NetworkError, postJson } from './http.ts';
import { isRecord, parseObject, readText } from './json.ts';
import { createResponseFailure } from './refusal.ts';
import { sendWithRetries } from './retry.ts';

/**
 * The JSON body. Flags are written into the frontmatter of `content`, so the document is complete.
 */
export interface PublishPayload {
  content: string;
  /** Without folders, except for an `index` or `README` at the root, whose folder is its title. */
  fileName: string;
  /** Absent for a pipe or a device. */
  source?: { repository?: string; path: string };
  /** The platform that a destination must be connected to. */
  platforms?: Partial<Record<DestinationKey, string>>;
}

export interface PublishRequest {
  endpoint: Endpoint;
  token: ChosenToken;
  payload: PublishPayload;
  signal: AbortSignal;
  onWait: (sentence: string) => void;
}

export interface Published {
  action: 'created' | 'updated';
  article: { id: string; slug: string; status: string; url: string; scheduledAt?: string };
  warnings: Notice[];
  /** The body of the response, unchanged, for `--json`. */
  body: Record<string, unknown>;
  /** Milliseconds to wait before the next article if the rate limit is used up; else 0. */
  pauseMs: number;
}

/**
 * Publishes, or throws a `Failure` with the reason. All attempts of a call send the same
 * Idempotency-Key.
 */
export async function publishArticle(request: PublishRequest): Promise<Published> {
  const { endpoint, token, payload, signal, onWait } = request;
  const headers = {
    accept: 'application/json, application/problem+json',
    authorization: `Bearer ${token.token}`,
    'idempotency-key': randomUUID(),
    'user-agent': USER_AGENT,
  };
  const send = () => postJson({ url: endpoint.publishUrl, headers, body: payload, signal });
  const response = await sendWithRetries(send, { signal, onWait }).catch(explainNetworkError);
  if (response.status !== 200 && response.status !== 201) {
    throw createResponseFailure(response, { url: endpoint.publishUrl, token });
  }
  return readPublished(response, endpoint);
}

/** For `catch`: converts a network error to a failure and rethrows other errors. */
export function explainNetworkError(error: unknown): never {
  if (error instanceof NetworkError) throw createFailure(error.message, { cause: error });
  throw error;
}

function readPublished(response: CliHttpResponse, endpoint: Endpoint): Published {
  const body = parseObject(response.text);
  const data = isRecord(body?.data) ? body.data : {};
  const [id, slug, status, url] = [data.id, data.slug, data.status, data.url].map(readText);
  const action = body?.action;
  const isAction = action === 'created' || action === 'updated';
  if (body === null || !isAction || !id || !slug || !status || !url)
    throw createForeignResponseFailure(response, endpoint);
  const scheduledAt = readText(data.scheduledAt);
  return {
    action,
    article: { id, slug, status, url, ...(scheduledAt === undefined ? {} : { scheduledAt }) },
    warnings: Array.isArray(body.warnings) ? body.warnings.flatMap(readNotice) : [],
    body,
    pauseMs: readPause(response.headers),
  };
}

/** Reads the rate limit headers. Without them there is no pause. */
function readPause(headers: Headers): number {
  const [remaining, reset] = [headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')].map((text) =>
    text?.trim(),
  );
  if (remaining !== '0' || reset === undefined || !/^\d{1,9}$/.test(reset)) return 0;
  return Math.min(Number(reset) * 1_000, MAX_PAUSE_MS);
}

/**
 * The server's window is a minute. A longer pause would look like a hang; instead the server
 * rejects the next request with a reason.
 */
const MAX_PAUSE_MS = 60_000;

function createForeignResponseFailure(response: CliHttpResponse, endpoint: Endpoint): Failure {
  const type = response.headers.get('content-type') ?? 'no content type';
  return createFailure(
    `${endpoint.publishUrl} returned ${response.status} (${type}), which is not a response of a Courant server.`,
    {
      hints: ['Is the endpoint correct? See --endpoint and "courant whoami".'],
      server: { status: response.status },
    },
  );
}

function readNotice(value: unknown): Notice[] {
  const message = isRecord(value) ? readText(value.message) : undefined;
  if (!isRecord(value) || message === undefined) return [];
  const [path, destination] = [readText(value.path), readDestination(value.destination)];
  return [
    {
      code: readText(value.code) ?? 'warning',
      message,
      ...(path === undefined ? {} : { path }),
      ...(isPosition(value.line) ? { line: value.line } : {}),
      ...(isPosition(value.column) ? { column: value.column } : {}),
      ...(destination === undefined ? {} : { destination }),
    },
  ];
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function readDestination(value: unknown): DestinationKey | undefined {
  return DESTINATION_KEYS.find((key) => key === value);
}
