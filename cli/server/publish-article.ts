/** Publishes a document over REST and reads the answer. */
import { randomUUID } from 'node:crypto';
import { DESTINATION_KEYS, type DestinationKey, type Notice } from '../../article/types.ts';
import type { ChosenToken } from '../credentials/token.ts';
import { createFailure, type Failure } from '../failure.ts';
import { USER_AGENT } from '../version.ts';
import type { Endpoint } from './endpoint.ts';
import { type Answer, NetworkError, postJson } from './http.ts';
import { isRecord, parseObject, readText } from './json.ts';
import { describeRefusal } from './refusal.ts';
import { sendWithRetries } from './retry.ts';

/** The JSON body. Flags are written into the frontmatter of `content`, so that the document says everything. */
export interface PublishPayload {
  content: string;
  /** Without folders, except for an `index` or `README` at the root: its folder is its title. */
  fileName: string;
  /** Absent for a pipe or a device. */
  source?: { repository?: string; path: string };
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
  /** The server's answer, unchanged, for `--json`. */
  body: Record<string, unknown>;
  /** How long to wait before the next article, because this one was the last that the rate limit allows; else 0. */
  pauseMs: number;
}

/** Publishes, or throws a `Failure` that says why not. All tries of one call carry the same Idempotency-Key. */
export async function publishArticle(request: PublishRequest): Promise<Published> {
  const { endpoint, token, payload, signal, onWait } = request;
  const headers = {
    accept: 'application/json, application/problem+json',
    authorization: `Bearer ${token.token}`,
    'idempotency-key': randomUUID(),
    'user-agent': USER_AGENT,
  };
  const send = () => postJson({ url: endpoint.publishUrl, headers, body: payload, signal });
  const answer = await sendWithRetries(send, { signal, onWait }).catch(explainNetworkError);
  if (answer.status !== 200 && answer.status !== 201) {
    throw describeRefusal(answer, { url: endpoint.publishUrl, token });
  }
  return readPublished(answer, endpoint);
}

/** For a `catch`: turns a network error into a failure and rethrows all others. */
export function explainNetworkError(error: unknown): never {
  if (error instanceof NetworkError) throw createFailure(error.message, { cause: error });
  throw error;
}

function readPublished(answer: Answer, endpoint: Endpoint): Published {
  const body = parseObject(answer.text);
  const data = isRecord(body?.data) ? body.data : {};
  const [id, slug, status, url] = [data.id, data.slug, data.status, data.url].map(readText);
  const action = body?.action;
  const isAction = action === 'created' || action === 'updated';
  if (body === null || !isAction || !id || !slug || !status || !url) throw describeForeignAnswer(answer, endpoint);
  const scheduledAt = readText(data.scheduledAt);
  return {
    action,
    article: { id, slug, status, url, ...(scheduledAt === undefined ? {} : { scheduledAt }) },
    warnings: Array.isArray(body.warnings) ? body.warnings.flatMap(readNotice) : [],
    body,
    pauseMs: readPause(answer.headers),
  };
}

/** By the headers of the rate limit. A server without them is asked at once. */
function readPause(headers: Headers): number {
  const [remaining, reset] = [headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')].map((text) =>
    text?.trim(),
  );
  if (remaining !== '0' || reset === undefined || !/^\d{1,9}$/.test(reset)) return 0;
  return Math.min(Number(reset) * 1_000, LONGEST_PAUSE_MS);
}

/** The server's window is a minute. Whatever it says, a longer pause would look like a standstill; then it refuses, and says why. */
const LONGEST_PAUSE_MS = 60_000;

function describeForeignAnswer(answer: Answer, endpoint: Endpoint): Failure {
  const type = answer.headers.get('content-type') ?? 'no content type';
  return createFailure(
    `${endpoint.publishUrl} answered ${answer.status} (${type}), but not as a Courant server does.`,
    {
      hints: ['Is the endpoint right? See --endpoint and "courant whoami".'],
      server: { status: answer.status },
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
      ...(isPlace(value.line) ? { line: value.line } : {}),
      ...(isPlace(value.column) ? { column: value.column } : {}),
      ...(destination === undefined ? {} : { destination }),
    },
  ];
}

function isPlace(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function readDestination(value: unknown): DestinationKey | undefined {
  return DESTINATION_KEYS.find((key) => key === value);
}
