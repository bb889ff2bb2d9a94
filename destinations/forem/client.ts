/** Talks to Forem's REST API v1 (dev.to and self-hosted ones). */
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameCanonical } from '../canonical.ts';
import { type Exchange, exchange, type HttpAnswer, type HttpRequest } from '../http.ts';
import {
  endpointMoved,
  type Intent,
  outcomeOfRateLimit,
  outcomeOfServerError,
  outcomeOfSilence,
  outcomeOfWeather,
} from '../outcomes.ts';
import type { ClientOptions, DestinationClient, Outcome, RemotePost } from '../types.ts';
import type { ForemPayload } from './format.ts';
import { FOREM_LABEL } from './limits.ts';
import { outcomeOfRefusal } from './refusals.ts';

/** Listing entries carry whole bodies, up to 800 KiB each; ten of them always fit. */
const LISTING_MAX_BYTES = 32 * 1024 * 1024;
const PAGE_SIZES = [1000, 100, 10] as const;
/** The edge lets three reads a second through. */
const READ_INTERVAL_MS = 400;

export function createForemClient(options: ClientOptions): DestinationClient<ForemPayload> {
  const call = async (request: HttpRequest, intent: Intent) => judge(await send(options, request), intent, options);
  const article = (remoteId: string) => endpoint(options, `/articles/${encodeURIComponent(remoteId)}`);
  return {
    async probe() {
      const answer = await call({ method: 'GET', url: endpoint(options, '/users/me') }, 'read');
      if (answer.kind !== 'done') return answer;
      const account = field(answer.value.json, 'username');
      if (typeof account === 'string') return { kind: 'done', value: { account } };
      return outcomeOfWeather(answer.value, 'read', FOREM_LABEL);
    },

    find: ({ canonicalUrl }) => findByCanonical(options, canonicalUrl),

    async create(payload) {
      const request: HttpRequest = { method: 'POST', url: endpoint(options, '/articles'), body: { article: payload } };
      return remotePost(await call(request, 'create'), 'create');
    },

    async update(remoteId, payload) {
      const request: HttpRequest = { method: 'PUT', url: article(remoteId), body: { article: payload } };
      return remotePost(await call(request, 'update'), 'update');
    },

    async withdraw(remoteId) {
      // There is no DELETE. As a draft it is seen in its author's dashboard only; the tags, which this erases, come back
      // with the next update.
      const body = { article: { published: false } };
      const answer = await call({ method: 'PUT', url: article(remoteId), body }, 'withdraw');
      return answer.kind === 'done' ? { kind: 'done', value: null } : answer;
    },
  };
}

function send(options: ClientOptions, request: HttpRequest): Promise<Exchange> {
  const headers = {
    'api-key': options.connection.credentials.apiKey ?? '',
    accept: 'application/vnd.forem.api-v1+json',
  };
  const addresses = { allowPrivate: options.allowPrivate ?? false };
  return exchange({ ...request, headers }, { timeoutMs: options.timeoutMs, signal: options.signal, addresses });
}

/** `done` for a 2xx whose body is JSON. */
function judge(ended: Exchange, intent: Intent, options: ClientOptions): Outcome<HttpAnswer> {
  if (ended.kind === 'redirect') {
    const isForGood = ended.status === 301 || ended.status === 308;
    // Elsewhere for now is a login page in the way, not Forem.
    return isForGood ? endpointMoved(ended.status, FOREM_LABEL) : outcomeOfWeather(ended, intent, FOREM_LABEL);
  }
  if (ended.kind !== 'answer') return outcomeOfSilence(ended, intent, FOREM_LABEL);
  // The edge says it in plain text, the application in JSON; neither has done anything by then.
  if (ended.status === 429) return outcomeOfRateLimit(ended, FOREM_LABEL, options.now());
  if (ended.json === null || typeof ended.json !== 'object') {
    return outcomeOfWeather(ended, intent, FOREM_LABEL);
  }
  if (ended.status >= 500) return outcomeOfServerError(ended, intent, FOREM_LABEL, options.now());
  if (ended.status >= 400) return outcomeOfRefusal(ended, intent, options.connection.credentials);
  return { kind: 'done', value: ended };
}

function remotePost(answer: Outcome<HttpAnswer>, intent: Intent): Outcome<RemotePost> {
  if (answer.kind !== 'done') return answer;
  const post = readPost(answer.value.json);
  return post ? { kind: 'done', value: post } : outcomeOfWeather(answer.value, intent, FOREM_LABEL);
}

/**
 * Walks all articles of the key's owner, drafts too. A page that is too large to take is asked for again in smaller
 * pieces; sizes divide each other, so the place in the list is kept.
 */
async function findByCanonical(options: ClientOptions, canonicalUrl: string): Promise<Outcome<RemotePost | null>> {
  const sizes = [...PAGE_SIZES];
  let offset = 0;
  for (;;) {
    const size = sizes[0] ?? 10;
    const url = endpoint(options, `/articles/me/all?page=${offset / size + 1}&per_page=${size}`);
    const ended = await send(options, { method: 'GET', url, maxBytes: LISTING_MAX_BYTES });
    if (ended.kind === 'tooLarge' && sizes.length > 1) {
      sizes.shift();
    } else {
      const answer = judge(ended, 'read', options);
      if (answer.kind !== 'done') return answer;
      const { json } = answer.value;
      if (!Array.isArray(json)) return outcomeOfWeather(answer.value, 'read', FOREM_LABEL);
      const ours = json.filter((entry) => isSameCanonical(canonicalOf(entry), canonicalUrl));
      // Drafts stand first in the list; what readers see counts more.
      const post = readPost(ours.find((entry) => field(entry, 'published') === true) ?? ours[0]);
      if (post || json.length < size) return { kind: 'done', value: post };
      offset += size;
    }
    if (!(await rest(options.signal))) return { kind: 'unavailable', reason: 'The look-up was cancelled.' };
  }
}

function canonicalOf(entry: unknown): string | null {
  const canonical = field(entry, 'canonical_url');
  return typeof canonical === 'string' ? canonical : null;
}

/** False where the call was cancelled meanwhile. */
async function rest(signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(READ_INTERVAL_MS, undefined, signal ? { signal } : {});
    return true;
  } catch {
    return false;
  }
}

function readPost(json: unknown): RemotePost | null {
  const id = field(json, 'id');
  const url = field(json, 'url');
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || typeof url !== 'string') return null;
  return { remoteId: String(id), url, changedAt: null };
}

function field(json: unknown, name: string): unknown {
  return json !== null && typeof json === 'object' ? (json as Record<string, unknown>)[name] : undefined;
}

/** Authors give the site (`https://dev.to`) or its API (`https://dev.to/api`); both lead to the latter. */
function endpoint(options: ClientOptions, path: string): string {
  const base = options.connection.baseUrl.replace(/\/+$/, '');
  return `${base.endsWith('/api') ? base : `${base}/api`}${path}`;
}
