/** Talks to Hashnode's GraphQL API. Errors come in HTTP 200; a redirect means that the endpoint is gone for good. */
import { isSameCanonical } from '../canonical.ts';
import { type Exchange, exchange } from '../http.ts';
import {
  endpointMoved,
  type Intent,
  outcomeOfRateLimit,
  outcomeOfServerError,
  outcomeOfSilence,
  outcomeOfWeather,
} from '../outcomes.ts';
import type { ClientOptions, DestinationClient, Outcome, RemotePost } from '../types.ts';
import type { HashnodePayload } from './format.ts';
import { HASHNODE_LABEL, HASHNODE_REQUEST_BYTES } from './limits.ts';
import { FIND_BY_CANONICAL, FIND_BY_SLUG, PROBE, PUBLISH_POST, UPDATE_POST } from './operations.ts';
import { outcomeOfError, readErrors } from './refusals.ts';

/** Pages of a hundred; whoever writes more than a thousand posts and edits their slugs is not found by canonical URL. */
const PAGES = 10;
const PAGE_SIZE = 100;

type Json = Record<string, unknown>;

export function createHashnodeClient(options: ClientOptions): DestinationClient<HashnodePayload> {
  const publicationId = options.connection.credentials.publicationId ?? '';
  return {
    async probe() {
      const answer = await callHashnode(options, PROBE, { publicationId }, 'read');
      if (answer.kind !== 'done') return answer;
      const account = at(answer.value, 'me', 'username');
      if (typeof account !== 'string') {
        return { kind: 'unauthorised', reason: 'Hashnode does not know whose token this is. Connect again.' };
      }
      if (at(answer.value, 'publication', 'id') === undefined) return noPublication();
      return { kind: 'done', value: { account } };
    },

    async find({ canonicalUrl, slug }) {
      const bySlug = await callHashnode(options, FIND_BY_SLUG, { publicationId, slug }, 'read');
      if (bySlug.kind !== 'done') return bySlug;
      if (at(bySlug.value, 'publication', 'id') === undefined) return noPublication();
      const post = at(bySlug.value, 'publication', 'post');
      // A post under our slug with another canonical URL is the author's own, written there.
      if (isSameCanonical(canonicalOf(post), canonicalUrl)) return { kind: 'done', value: readPost(post) };
      return findByCanonical(options, publicationId, canonicalUrl);
    },

    async create(payload) {
      const { optional, ...required } = payload;
      const input = { publicationId, ...required, ...withoutNulls(optional) };
      return remotePost(await callHashnode(options, PUBLISH_POST, { input }, 'create'), 'publishPost', 'create');
    },

    async update(remoteId, payload) {
      // The slug stays as it is: changing it would break the links to the post. Nulls clear what the author took away,
      // and an absent `isDelisted` would leave a withdrawn post hidden.
      const { optional, slug: _, ...required } = payload;
      const input = { id: remoteId, ...required, ...optional, isDelisted: false };
      return remotePost(await callHashnode(options, UPDATE_POST, { input }, 'update'), 'updatePost', 'update');
    },

    async withdraw(remoteId) {
      // There is no way to delete a post; out of the lists is the most that can be had.
      const input = { id: remoteId, isDelisted: true };
      const answer = await callHashnode(options, UPDATE_POST, { input }, 'withdraw');
      return answer.kind === 'done' ? { kind: 'done', value: null } : answer;
    },
  };
}

/** One operation; `done` with `data` where it came without errors. */
async function callHashnode(
  options: ClientOptions,
  query: string,
  variables: Json,
  intent: Intent,
): Promise<Outcome<Json>> {
  const body = { query, variables };
  if (Buffer.byteLength(JSON.stringify(body)) > HASHNODE_REQUEST_BYTES) {
    const reason = 'The article is larger than the 100 KB that Hashnode takes in one request.';
    return { kind: 'rejected', code: 'body_too_large', reason };
  }
  const headers = { authorization: `Bearer ${options.connection.credentials.token ?? ''}` };
  const addresses = { allowPrivate: options.allowPrivate ?? false };
  const context = { timeoutMs: options.timeoutMs, signal: options.signal, addresses };
  return judge(
    await exchange({ method: 'POST', url: options.connection.baseUrl, headers, body }, context),
    intent,
    options,
  );
}

function judge(ended: Exchange, intent: Intent, options: ClientOptions): Outcome<Json> {
  if (ended.kind === 'redirect') return endpointMoved(ended.status, HASHNODE_LABEL);
  if (ended.kind !== 'answer') return outcomeOfSilence(ended, intent, HASHNODE_LABEL);
  if (ended.status === 429) return outcomeOfRateLimit(ended, HASHNODE_LABEL, options.now());
  const [error] = readErrors(ended.json);
  if (error) return outcomeOfError(error, ended, intent, options);
  if (ended.status === 413) {
    // Said by whatever stands in front, in whatever format, and true in all of them: too large to be read at all.
    return outcomeOfError({ message: '', code: 'TOO_LARGE', path: '' }, ended, intent, options);
  }
  const data = at(ended.json, 'data');
  if (ended.status === 200 && isObject(data)) return { kind: 'done', value: data };
  if (ended.status >= 500 && isObject(ended.json)) {
    return outcomeOfServerError(ended, intent, HASHNODE_LABEL, options.now());
  }
  return outcomeOfWeather(ended, intent, HASHNODE_LABEL);
}

/** Newest first, so that a post which was just created stands on the first page. */
async function findByCanonical(
  options: ClientOptions,
  publicationId: string,
  canonicalUrl: string,
): Promise<Outcome<RemotePost | null>> {
  let after: unknown = null;
  for (let page = 0; page < PAGES; page += 1) {
    const variables = { publicationId, first: PAGE_SIZE, after };
    const answer = await callHashnode(options, FIND_BY_CANONICAL, variables, 'read');
    if (answer.kind !== 'done') return answer;
    const posts = at(answer.value, 'publication', 'posts');
    const edges = at(posts, 'edges');
    if (!Array.isArray(edges)) return noPublication();
    const edge = edges.find((entry) => isSameCanonical(canonicalOf(at(entry, 'node')), canonicalUrl));
    if (edge) return { kind: 'done', value: readPost(at(edge, 'node')) };
    after = at(posts, 'pageInfo', 'endCursor');
    if (at(posts, 'pageInfo', 'hasNextPage') !== true || typeof after !== 'string') break;
  }
  return { kind: 'done', value: null };
}

function remotePost(answer: Outcome<Json>, mutation: string, intent: 'create' | 'update'): Outcome<RemotePost> {
  if (answer.kind !== 'done') return answer;
  const post = readPost(at(answer.value, mutation, 'post'));
  if (post) return { kind: 'done', value: post };
  return { kind: 'unknown', reason: `Hashnode took the ${intent} and did not name the post.` };
}

function readPost(post: unknown): RemotePost | null {
  const id = at(post, 'id');
  const url = at(post, 'url');
  return typeof id === 'string' && typeof url === 'string' ? { remoteId: id, url, changedAt: null } : null;
}

function canonicalOf(post: unknown): string | null {
  const canonical = at(post, 'canonicalUrl');
  return typeof canonical === 'string' ? canonical : null;
}

function noPublication(): Outcome<never> {
  const reason = 'Hashnode does not know this publication: check its id and connect again.';
  return { kind: 'rejected', code: 'publication_not_found', reason };
}

function at(value: unknown, ...path: string[]): unknown {
  let current = value;
  for (const name of path) current = isObject(current) ? current[name] : undefined;
  return current ?? undefined;
}

function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object';
}

function withoutNulls(values: Json): Json {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
