/** A real Ghost for tests: its address, direct requests, and cleanup. */
import type { TestContext } from 'node:test';
import type { DeliverableArticle } from '../../article/types.ts';
import { createClient } from '../../destinations/ghost/client.ts';
import { readAdminKey, signToken } from '../../destinations/ghost/token.ts';
import { makeRealArticle } from './real-article.ts';

const { COURANT_REAL_GHOST_URL, COURANT_REAL_GHOST_KEY } = process.env;

/** False, or the reason to skip. The key is the Admin API key of an integration. */
export const skip =
  COURANT_REAL_GHOST_URL && COURANT_REAL_GHOST_KEY
    ? false
    : 'COURANT_REAL_GHOST_URL and COURANT_REAL_GHOST_KEY are not set';

export const siteUrl = (COURANT_REAL_GHOST_URL ?? '').replace(/\/+$/, '');
const adminKey = COURANT_REAL_GHOST_KEY ?? '';

export function openGhost(baseUrl = siteUrl, key = adminKey) {
  const connection = { baseUrl, credentials: { adminKey: key } };
  return createClient({ connection, timeoutMs: 15_000, now: () => new Date(), allowPrivate: true });
}

export type Json = Record<string, unknown>;

/**
 * Sends requests to the site directly, without the adapter. Returns the first entry of `posts` or
 * `tags`, or the error.
 */
export async function requestGhost(
  method: string,
  path: string,
  body?: Json,
): Promise<{ status: number; all: Json[]; first: Json; error: Json }> {
  const key = readAdminKey(adminKey);
  if (key === null) throw new Error('COURANT_REAL_GHOST_KEY is not an Admin API key.');
  const answer = await fetch(`${siteUrl}/ghost/api/admin${path}`, {
    method,
    headers: {
      authorization: `Ghost ${await signToken(key, new Date())}`,
      'accept-version': 'v5.0',
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = answer.status === 204 ? {} : ((await answer.json()) as Record<string, Json[] | undefined>);
  const all = json.posts ?? json.tags ?? [];
  return { status: answer.status, all, first: all[0] ?? {}, error: json.errors?.[0] ?? {} };
}

/** Lists the posts with this canonical URL in any state, without the adapter's filter. */
export async function listPosts(canonicalUrl: string): Promise<Json[]> {
  const { all } = await requestGhost('GET', '/posts/?limit=100&order=created_at%20desc&formats=html');
  return all.filter((post) => post.canonical_url === canonicalUrl);
}

/** Edits a post at the site, later than the time in which a platform completes an earlier write. */
export async function editByHand(remoteId: string, changes: Json): Promise<void> {
  const { first } = await requestGhost('GET', `/posts/${remoteId}/`);
  const behind = Date.parse(String(first.updated_at)) + 6100 - Date.now();
  if (behind > 0) await new Promise((resolve) => setTimeout(resolve, behind));
  const body = { posts: [{ ...changes, updated_at: first.updated_at }] };
  const { status, error } = await requestGhost('PUT', `/posts/${remoteId}/?source=html`, body);
  if (status !== 200) throw new Error(`edit by hand: HTTP ${status} ${JSON.stringify(error)}`);
}

/** Creates a unique article. Its posts and tags are removed from the site after the test. */
export function makeSiteArticle(context: TestContext, changes: Partial<DeliverableArticle> = {}): DeliverableArticle {
  return makeRealArticle(context, changes, sweep);
}

async function sweep(name: string): Promise<void> {
  const { all } = await requestGhost('GET', '/posts/?limit=100&order=created_at%20desc');
  for (const post of all.filter(({ slug }) => String(slug).startsWith(name))) {
    await requestGhost('DELETE', `/posts/${post.id}/`);
  }
  const tags = await requestGhost('GET', `/tags/?limit=100&filter=${encodeURIComponent("name:~^'courant-test'")}`);
  for (const tag of tags.all) await requestGhost('DELETE', `/tags/${tag.id}/`);
}
