/**
 * Serves WordPress sites, each under a separate path: the front page, and the REST API in both
 * forms of address.
 */
import type { FastifyInstance } from 'fastify';
import { SECOND_WORDPRESS, THIRD_WORDPRESS, type WordPressAccount } from '../accounts.ts';
import { type SandboxContext, showPosts } from '../context.ts';
import { acceptBytes, createRoutes, type Json, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import type { FaultableAction } from '../faults.ts';
import { MANUAL_POST } from '../manual-post.ts';
import { authenticate, type LoggedInAccount, showMe } from './accounts.ts';
import {
  buildSiteUrl,
  type WordPressContext,
  type WordPressMedia,
  type WordPressPost,
  type WordPressTag,
} from './context.ts';
import { createTag, listMedia, listTags, uploadMedia } from './library.ts';
import { buildBlankPost, createPost, listPosts, readPost, trashPost, updatePost } from './posts.ts';
import { buildFailure, pickFields } from './responses.ts';
import { renderContent, toPlainTitle } from './views.ts';

/** Their ids equal those of the next posts on the first site. */
const MANUAL_POSTS = 12;

export function registerWordPress(app: FastifyInstance, sandbox: SandboxContext): void {
  for (const [site, accounts] of Object.entries(sandbox.wordpressSites)) registerSite(app, sandbox, site, accounts);
}

function registerSite(
  app: FastifyInstance,
  sandbox: SandboxContext,
  site: string,
  accounts: Record<string, WordPressAccount>,
): void {
  const open = sandbox.state.openTable;
  const posts = open<WordPressPost>(site, 'cms_site');
  const tags = open<WordPressTag>(`${site}/tags`, 'cms_site');
  const wordpress: WordPressContext = {
    ...{ ...sandbox, site, accounts, posts, tags },
    media: open<WordPressMedia>(`${site}/media`, 'cms_site'),
  };
  if (site === 'wordpress-b') addManualPosts(wordpress);
  showPosts(sandbox, `WordPress (cms_site, /${site})`, posts, (post) => ({
    path: `/${site}/${post.slug}/`,
    tags: post.tags.map((id) => toPlainTitle(tags.get(String(id))?.name ?? '')),
    html: renderContent(post.content),
  }));

  app.register(async (server) => {
    acceptBytes(server);
    const route = createRoutes(server, sandbox, {
      platform: 'cms_site',
      base: `/${site}`,
      listAccounts({ headers }) {
        const account = authenticate(wordpress, headers.authorization);
        return 'logName' in account ? [account.logName] : [];
      },
      buildFailure: buildDefaultFailure,
    });
    for (const path of ['', '/', '/wp-json', '/wp-json/*']) {
      route(['GET', 'POST', 'DELETE'], path, findAction, (request) => {
        const link = `<${buildSiteUrl(wordpress)}/wp-json/>; rel="https://api.w.org/"`;
        const response = serve(wordpress, request);
        return { ...response, headers: { link, ...response.headers } };
      });
    }
  });
}

/** Every second one is by the site's other user. The first has the slug of the example. */
function addManualPosts({ posts, site }: WordPressContext): void {
  for (let number = 1; number <= MANUAL_POSTS; number += 1) {
    const { username } = number % 2 === 1 ? SECOND_WORDPRESS : THIRD_WORDPRESS;
    const title = number === 1 ? MANUAL_POST.title : `${MANUAL_POST.title} ${number}`;
    posts.addManual({
      ...buildBlankPost(`${site}/${username}`, MANUAL_POST.at),
      ...{
        id: String(100 + number),
        title,
        rawTitle: title,
        content: `<p>${MANUAL_POST.text}</p>`,
        status: 'published',
      },
      slug: number === 1 ? MANUAL_POST.slug : `harbour-notes-${number}`,
    });
  }
}

/** The route of the REST API, in both forms of address. Null for the front page. */
function readRoute({ params, query, url }: SandboxRequest): string | null {
  if (!url.includes('/wp-json') && query.rest_route === undefined) return null;
  return (query.rest_route ?? `/${params['*'] ?? ''}`).replace(/\/$/, '') || '/';
}

function serve(wordpress: WordPressContext, request: SandboxRequest): SandboxResponse {
  const { method, query, headers } = request;
  const route = readRoute(request);
  if (route === null) return { status: 200, body: '<!doctype html><title>Sandbox</title><p>A WordPress site.</p>\n' };
  // `home` does not depend on the port of the sandbox.
  const index = { home: `https://${wordpress.site}.sandbox.example`, namespaces: ['oembed/1.0', 'wp/v2'] };
  if (route === '/') return { status: 200, body: index };
  const account = authenticate(wordpress, headers.authorization);
  if (!('username' in account)) return account;
  if (method === 'POST' && route === '/wp/v2/media') {
    return pickFields(uploadMedia(wordpress, account, query, readBytes(request), headers), query._fields);
  }
  const body = readJson(request);
  if (body === null) return buildFailure(400, 'rest_invalid_json', 'Invalid JSON body passed.');
  return pickFields(serveRoute(wordpress, account, `${method} ${route}`, request, body), query._fields);
}

function serveRoute(
  wordpress: WordPressContext,
  account: LoggedInAccount,
  route: string,
  { query }: SandboxRequest,
  body: Json,
): SandboxResponse {
  const [, id = ''] = /\/posts\/(\d+)$/.exec(route) ?? [];
  switch (id === '' ? route : route.replace(id, '<id>')) {
    case 'GET /wp/v2/users/me':
      return showMe(account);
    case 'GET /wp/v2/posts':
      return listPosts(wordpress, account, query);
    case 'POST /wp/v2/posts':
      return createPost(wordpress, account, body);
    case 'GET /wp/v2/posts/<id>':
      return readPost(wordpress, account, id);
    case 'POST /wp/v2/posts/<id>':
      return updatePost(wordpress, account, id, body);
    case 'DELETE /wp/v2/posts/<id>':
      return trashPost(wordpress, account, id);
    case 'GET /wp/v2/tags':
      return listTags(wordpress, query);
    case 'POST /wp/v2/tags':
      return createTag(wordpress, body);
    case 'GET /wp/v2/media':
      return listMedia(wordpress, query);
    default:
      return buildFailure(404, 'rest_no_route', 'No route was found matching the URL and request method.');
  }
}

/** The action of a request, for faults. */
function findAction(request: SandboxRequest): FaultableAction | null {
  const route = readRoute(request) ?? '';
  if (route === '/wp/v2/users/me') return 'probe';
  if (route === '/wp/v2/tags' || route === '/wp/v2/media') return 'prepare';
  if (!/^\/wp\/v2\/posts(?:\/|$)/.test(route)) return null;
  if (request.method === 'GET') return 'find';
  if (route === '/wp/v2/posts') return 'create';
  return request.method === 'DELETE' || readJson(request)?.status === 'draft' ? 'withdraw' : 'update';
}

function readBytes({ body }: SandboxRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Null if it is not a JSON object. */
function readJson(request: SandboxRequest): Json | null {
  try {
    const json: unknown = JSON.parse(readBytes(request).toString('utf8') || '{}');
    return json !== null && typeof json === 'object' && !Array.isArray(json) ? (json as Json) : null;
  } catch {
    return null;
  }
}

/** The response of a site, or of the host in front of it, for a status. */
function buildDefaultFailure(status: number): SandboxResponse {
  const errors: Record<number, [code: string, message: string]> = {
    400: ['rest_invalid_field', 'A field that a plugin adds is not valid.'],
    401: ['incorrect_password', 'The provided password is an invalid application password.'],
    403: ['rest_cannot_edit', 'Sorry, you are not allowed to edit this post.'],
    404: ['rest_post_invalid_id', 'Invalid post ID.'],
    422: ['rest_meta_database_error', 'Could not update the meta value of a field in the database.'],
    429: ['too_many_requests', 'Too many requests.'],
  };
  const [code, message] = errors[status] ?? [
    'internal_server_error',
    'There has been a critical error on this website.',
  ];
  const response = buildFailure(status, code, message);
  return status === 429 ? { ...response, headers: { 'retry-after': '30' } } : response;
}
