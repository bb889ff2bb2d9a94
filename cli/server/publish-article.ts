/** Publishes a document over REST and reads the response. */
import type { DestinationKey, Notice } from '../../article/types.ts';
import type { ChosenToken } from '../credentials/token.ts';
import type { Endpoint } from './endpoint.ts';
import { type CliHttpResponse, createForeignFailure } from './http.ts';
import { isRecord, parseObject, readFindings, readText } from './json.ts';
import { createResponseFailure } from './refusal.ts';
import { postWithRetries, type RetryOptions } from './retry.ts';

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

export interface PublishRequest extends RetryOptions {
  endpoint: Endpoint;
  token: ChosenToken;
  payload: PublishPayload;
  signal: AbortSignal;
}

export interface Published {
  action: 'created' | 'updated';
  article: { id: string; slug: string; status: string; url: string; scheduledAt: string | undefined };
  warnings: Notice<string>[];
  /** The body of the response, unchanged, for `--json`. */
  body: Record<string, unknown>;
  /** Milliseconds to wait before the next article if the rate limit is used up; else 0. */
  pauseMs: number;
}

/**
 * Publishes, or throws a `Failure` with the reason. All attempts of a call send the same
 * Idempotency-Key.
 */
export async function publishArticle({ payload, signal, ...request }: PublishRequest): Promise<Published> {
  const { endpoint, token } = request;
  const url = endpoint.publishUrl;
  const headers = {
    accept: 'application/json, application/problem+json',
    authorization: `Bearer ${token.token}`,
    'idempotency-key': crypto.randomUUID(),
  };
  const response = await postWithRetries({ url, headers, body: payload, signal }, request);
  if (response.status !== 200 && response.status !== 201) throw createResponseFailure(response, { url, token });
  const published = readPublished(response);
  if (published === null) throw createForeignFailure(url, response);
  return published;
}

function readPublished({ text, headers }: CliHttpResponse): Published | null {
  const body = parseObject(text) ?? {};
  const { action, data } = body;
  const [id, slug, status, url, scheduledAt] = isRecord(data)
    ? [data.id, data.slug, data.status, data.url, data.scheduledAt].map(readText)
    : [];
  if ((action !== 'created' && action !== 'updated') || !id || !slug || !status || !url) return null;
  const warnings = readFindings(body.warnings).map((warning) => ({ code: 'warning', ...warning }));
  return { action, article: { id, slug, status, url, scheduledAt }, warnings, body, pauseMs: readPause(headers) };
}

/**
 * Reads the rate limit headers. The server's window is a minute. A longer pause would look like a
 * hang; instead the server rejects the next request with a reason.
 */
function readPause(headers: Headers): number {
  if (headers.get('ratelimit-remaining') !== '0') return 0;
  return Math.min((Number(headers.get('ratelimit-reset')) || 0) * 1_000, MAX_PAUSE_MS);
}

const MAX_PAUSE_MS = 60_000;
