/** A real WordPress site for tests: its address, direct requests, and cleanup. */
import type { TestContext } from 'node:test';
import type { DeliverableArticle } from '../../article/types.ts';
import { createClient } from '../../destinations/wordpress/client.ts';
import { makeRealArticle } from './real-article.ts';

const { COURANT_REAL_WORDPRESS_URL, COURANT_REAL_WORDPRESS_USER, COURANT_REAL_WORDPRESS_PASSWORD } = process.env;

/**
 * False, or the reason to skip. Needs credentials of an administrator, because tests create users
 * and clean up.
 */
export const skip =
  COURANT_REAL_WORDPRESS_URL && COURANT_REAL_WORDPRESS_USER && COURANT_REAL_WORDPRESS_PASSWORD
    ? false
    : 'COURANT_REAL_WORDPRESS_URL, _USER and _PASSWORD are not set';

export const siteUrl = (COURANT_REAL_WORDPRESS_URL ?? '').replace(/\/+$/, '');
export const credentials = {
  username: COURANT_REAL_WORDPRESS_USER ?? '',
  applicationPassword: COURANT_REAL_WORDPRESS_PASSWORD ?? '',
};
export const apiUrl = `${siteUrl}/wp-json`;

export function openWordPress(baseUrl = apiUrl, as: Record<string, string> = credentials) {
  const connection = { baseUrl, credentials: as };
  return createClient({ connection, timeoutMs: 15_000, now: () => new Date(), allowPrivate: true });
}

type Json = Record<string, unknown>;

/** Sends requests to the site directly as its administrator. Returns null for a 4xx. */
export async function requestWordPress<T = Json>(
  method: string,
  route: string,
  query: Json = {},
  body?: Json,
): Promise<T | null> {
  const basic = btoa(`${credentials.username}:${credentials.applicationPassword}`);
  const url = new URL(`${siteUrl}/index.php`);
  url.searchParams.set('rest_route', `/wp/v2${route}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (answer.status >= 500) throw new Error(`${method} ${route}: HTTP ${answer.status}`);
  return answer.ok ? ((await answer.json()) as T) : null;
}

/** Creates a unique article. Its post and tags are removed from the site after the test. */
export function makeSiteArticle(context: TestContext, changes: Partial<DeliverableArticle> = {}): DeliverableArticle {
  return makeRealArticle(context, changes, sweep);
}

/** Lists posts of an article at the site, except those in the trash. */
export async function listPosts(article: DeliverableArticle): Promise<{ id: number; status: string }[]> {
  const query = { search: article.canonicalUrl, status: 'any', context: 'edit', _fields: 'id,status', per_page: 100 };
  return (await requestWordPress<{ id: number; status: string }[]>('GET', '/posts', query)) ?? [];
}

/** Removes everything with the name: posts, including the trash, and tags. */
async function sweep(name: string): Promise<void> {
  for (const status of ['any', 'trash']) {
    const query = { search: name, status, context: 'edit', per_page: 100 };
    for (const { id } of (await requestWordPress<{ id: number }[]>('GET', '/posts', query)) ?? []) {
      await requestWordPress('DELETE', `/posts/${id}`, { force: true });
    }
  }
  const tags = await requestWordPress<{ id: number }[]>('GET', '/tags', { search: name, per_page: 100 });
  for (const { id } of tags ?? []) await requestWordPress('DELETE', `/tags/${id}`, { force: true });
}

/**
 * Creates a user of this role with an application password. Removes the user and its content at the
 * end.
 */
export async function makeUser(context: TestContext, role: string): Promise<Record<string, string>> {
  const username = `courant-${role}-${Date.now().toString(36)}${process.pid.toString(36)}`;
  const password = crypto.randomUUID();
  const user = await requestWordPress<{ id: number }>(
    'POST',
    '/users',
    {},
    {
      username,
      password,
      email: `${username}@example.com`,
      roles: [role],
    },
  );
  if (!user) throw new Error(`The site makes no ${role}.`);
  const me = await requestWordPress<{ id: number }>('GET', '/users/me');
  context.after(() => requestWordPress('DELETE', `/users/${user.id}`, { force: true, reassign: me?.id }));
  const created = await requestWordPress<{ password: string }>(
    'POST',
    `/users/${user.id}/application-passwords`,
    {},
    { name: 'test' },
  );
  return { username, applicationPassword: created?.password ?? '' };
}
