/** Client for Forem's REST API v1 (dev.to and self-hosted instances). */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiRequest, createApiCaller, ignoreResponse, type OpenCaller } from '../http/caller.ts';
import { readField, readText } from '../http/read-field.ts';
import { isArticle } from '../posts/canonical.ts';
import { findDrift } from '../posts/drift.ts';
import { readAccount, readRemoteId, readRemotePost, readTime } from '../posts/remote-post.ts';
import { searchListing } from '../posts/search-listing.ts';
import type { ClientOptions, DestinationClient, Outcome, PostQuery, ProbedAccount, RemotePost } from '../types.ts';
import { findApiRoot, findSiteName } from './address.ts';
import type { ForemPayload } from './format.ts';
import { LABEL, limits } from './limits.ts';
import { interpretRefusal } from './refusals.ts';

/** Ten articles, the smallest page, always fit: each has its body twice (800 KiB). */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Forem's edge allows three reads a second. */
const READ_INTERVAL_MS = 400;

export function createClient(options: ClientOptions): DestinationClient<ForemPayload> {
  const { baseUrl, credentials } = options.connection;
  const { apiKey = '' } = credentials;
  const caller = createApiCaller(options, {
    label: LABEL,
    root: findApiRoot(baseUrl),
    headers: { 'api-key': apiKey, accept: 'application/vnd.forem.api-v1+json' },
    secrets: { apiKey },
    maxBytes: MAX_RESPONSE_BYTES,
    interpretRefusal,
  });
  return {
    probe: () => caller.call({ method: 'GET', path: '/users/me' }, 'read', ({ json }) => readUser(json, baseUrl)),

    find: (article) => findPost(caller, article, options.signal),

    create: (article) =>
      caller.call({ method: 'POST', path: '/articles', body: { article } }, 'create', ({ json }) => readPost(json)),

    async update(remoteId, article, unchangedSince) {
      const path = buildPath(remoteId);
      // Public and cached at the edge. An article that we withdrew is a 404.
      const drift = await findDrift(LABEL, unchangedSince, () =>
        caller.call({ method: 'GET', path }, 'read', ({ json }) => readChange(json)),
      );
      if (drift) return drift;
      return caller.call({ method: 'PUT', path, body: { article } }, 'update', ({ json }) => readPost(json));
    },

    // Forem has no DELETE. This erases the tags; the next update restores them.
    withdraw(remoteId) {
      const body = { article: { published: false } };
      return caller.call({ method: 'PUT', path: buildPath(remoteId), body }, 'withdraw', ignoreResponse);
    },
  };
}

function buildPath(remoteId: string): string {
  return `/articles/${encodeURIComponent(remoteId)}`;
}

/** Searches the owner's articles, drafts first. Forem lists the addressed subforem only. */
function findPost(
  caller: OpenCaller<ApiRequest>,
  article: PostQuery,
  signal: AbortSignal | undefined,
): Promise<Outcome<RemotePost | null>> {
  return searchListing(caller, {
    label: LABEL,
    pageSizes: [1000, 100, 10],
    maxPages: Number.POSITIVE_INFINITY,
    // An instance limits how many articles a page has (`API_PER_PAGE_MAX`).
    canCapPages: true,
    buildRequest: (offset, size) => ({
      method: 'GET',
      path: `/articles/me/all?page=${offset / size + 1}&per_page=${size}`,
    }),
    isOurs(entry) {
      const post = { canonicalUrl: readText(entry, 'canonical_url'), title: readText(entry, 'title') };
      return isArticle(post, article, limits.titleLength);
    },
    isPublic: (entry) => readField(entry, 'published') === true,
    readPost,
    excludedIds: article.excludedIds,
    // The next request of a cancelled call ends at once.
    pauseBetweenPages: () => sleep(READ_INTERVAL_MS, undefined, signal ? { signal } : {}).catch(() => undefined),
  });
}

function readPost(json: unknown): RemotePost | undefined {
  return readRemotePost(readField(json, 'id'), readField(json, 'url'), readChange(json)) ?? undefined;
}

/** When the article was last edited, else published. Null in the owner's lists. */
function readChange(json: unknown): string | null {
  const editedAt = readField(json, 'edited_at');
  return editedAt === undefined ? null : readTime(editedAt, readField(json, 'published_at'));
}

/** Ids are unique within one Forem only, so the account includes the site. */
function readUser(json: unknown, baseUrl: string): ProbedAccount | undefined {
  const id = readRemoteId(readField(json, 'id'));
  const username = readAccount(readField(json, 'username'));
  const site = findSiteName(baseUrl);
  if (id === null || username === null || site === null) return undefined;
  return { account: `${site} ${id}`, name: `@${username}` };
}
