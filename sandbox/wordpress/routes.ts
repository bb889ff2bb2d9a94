/**
 * Serves WordPress sites, each under a separate path: the front page, and the REST API in both
 * forms of address.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext, WordPressContext } from '../context.ts';
import type { FaultableAction, SandboxResponse } from '../faults.ts';
import { sendSandboxResponse } from '../send-response.ts';
import { authenticate, type LoggedInAccount, showMe } from './accounts.ts';
import { listPosts, readPost } from './list-posts.ts';
import { listMedia, uploadMedia } from './media.ts';
import { createPost, trashPost, updatePost } from './posts.ts';
import { buildFailure, type Json, pickFields } from './responses.ts';
import { createTag, listTags } from './terms.ts';

type Query = Record<string, string | undefined>;

const MAX_UPLOAD_BYTES = 12 * 1024 * 1024;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function registerWordPress(app: FastifyInstance, sandbox: SandboxContext): void {
  for (const site of sandbox.wordpressSites) registerSite(app, { ...sandbox, site });
}

function registerSite(app: FastifyInstance, sandbox: WordPressContext): void {
  const path = `/${sandbox.site.name}`;
  app.register(async (site) => {
    // Uploads are raw bytes of any kind, so no body is parsed before the route is known.
    site.removeAllContentTypeParsers();
    site.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES }, (_request, body, done) => {
      done(null, body);
    });
    const serve = (request: FastifyRequest, reply: FastifyReply, route: string) => {
      reply.header('link', `<${sandbox.site.url()}/wp-json/>; rel="https://api.w.org/"`);
      return serveRoute(sandbox, request, reply, route.replace(/\/$/, '') || '/');
    };
    for (const method of METHODS) {
      site.route<{ Params: { '*': string } }>({
        method,
        url: `${path}/wp-json/*`,
        handler: (request, reply) => serve(request, reply, `/${request.params['*']}`),
      });
      site.route({ method, url: `${path}/wp-json`, handler: (request, reply) => serve(request, reply, '/') });
    }
    for (const url of [path, `${path}/`]) {
      for (const method of METHODS) {
        site.route<{ Querystring: Query }>({
          method,
          url,
          handler: (request, reply) => {
            const route = request.query.rest_route;
            return route === undefined ? sendFrontPage(sandbox, reply) : serve(request, reply, route);
          },
        });
      }
    }
  });
}

function serveRoute(sandbox: WordPressContext, request: FastifyRequest, reply: FastifyReply, route: string) {
  const query = request.query as Query;
  const bytes = Buffer.isBuffer(request.body) ? request.body : null;
  const body = route === '/wp/v2/media' ? {} : readJson(bytes);
  const work = (): SandboxResponse => {
    const account = authenticate(sandbox, request.headers.authorization);
    if (account !== null && 'status' in account) return account;
    if (body === null) return buildFailure(400, 'rest_invalid_json', 'Invalid JSON body passed.');
    return pickFields(routeRequest(account, body), query._fields);
  };
  const routeRequest = (account: LoggedInAccount | null, input: Json): SandboxResponse => {
    const id = /^\/wp\/v2\/posts\/(\d+)$/.exec(route)?.[1];
    const isWrite = request.method !== 'GET' && request.method !== 'DELETE';
    switch (`${isWrite ? 'POST' : request.method} ${id === undefined ? route : '/wp/v2/posts/<id>'}`) {
      case 'GET /':
        return { status: 200, body: showIndex(sandbox) };
      case 'GET /wp/v2/users/me':
        return showMe(sandbox, account);
      case 'GET /wp/v2/posts':
        return listPosts(sandbox, account, query);
      case 'POST /wp/v2/posts':
        return createPost(sandbox, account, input);
      case 'GET /wp/v2/posts/<id>':
        return readPost(sandbox, account, id ?? '', query);
      case 'POST /wp/v2/posts/<id>':
        return updatePost(sandbox, account, id ?? '', input);
      case 'DELETE /wp/v2/posts/<id>':
        return trashPost(sandbox, account, id ?? '');
      case 'GET /wp/v2/tags':
        return listTags(sandbox, query);
      case 'POST /wp/v2/tags':
        return createTag(sandbox, account, input);
      case 'GET /wp/v2/media':
        return listMedia(sandbox, query);
      case 'POST /wp/v2/media': {
        const { 'content-type': contentType, 'content-disposition': disposition } = request.headers;
        return uploadMedia(sandbox, account, query, { bytes, contentType, disposition });
      }
      default:
        return buildFailure(404, 'rest_no_route', 'No route was found matching the URL and request method.');
    }
  };
  const action = findAction(request.method, route, body);
  const accounts = listCallers(sandbox, request.headers.authorization);
  return sendSandboxResponse(sandbox, reply, { platform: 'cms_site', action, accounts, work, buildDefaultAnswer });
}

/** The account of the request, for faults. */
function listCallers(sandbox: WordPressContext, header: string | undefined): string[] {
  const account = authenticate(sandbox, header);
  return account !== null && 'username' in account ? [`${sandbox.site.name}/${account.username}`] : [];
}

/** The action of a request, for faults. */
function findAction(method: string, route: string, body: Json | null): FaultableAction | null {
  if (route === '/wp/v2/users/me') return 'probe';
  if (route === '/wp/v2/tags' || route === '/wp/v2/media') return 'prepare';
  if (!/^\/wp\/v2\/posts(?:\/|$)/.test(route)) return null;
  if (method === 'GET') return 'find';
  if (route === '/wp/v2/posts') return 'create';
  return method === 'DELETE' || body?.status === 'draft' ? 'withdraw' : 'update';
}

/** `home` does not depend on the port of the sandbox. */
function showIndex(sandbox: WordPressContext): Json {
  const url = `${sandbox.site.url()}`;
  const home = `https://${sandbox.site.name}.sandbox.example`;
  const authentication = { 'application-passwords': { endpoints: { authorization: `${url}/wp-admin/` } } };
  return { name: 'Sandbox', description: '', url, home, namespaces: ['oembed/1.0', 'wp/v2'], authentication };
}

function sendFrontPage(sandbox: WordPressContext, reply: FastifyReply): FastifyReply {
  const link = `<${sandbox.site.url()}/wp-json/>; rel="https://api.w.org/"`;
  const body = '<!doctype html><title>Sandbox</title><p>A WordPress site. <a href="/">All posts</a></p>\n';
  return reply.headers({ link, 'content-type': 'text/html; charset=utf-8' }).send(body);
}

/** Null if it is not a JSON object. */
function readJson(bytes: Buffer | null): Json | null {
  if (bytes === null || bytes.length === 0) return {};
  try {
    const json: unknown = JSON.parse(bytes.toString('utf8'));
    return json !== null && typeof json === 'object' && !Array.isArray(json) ? (json as Json) : null;
  } catch {
    return null;
  }
}

/** The response of a site, or of the host in front of it, for a status. */
function buildDefaultAnswer(status: number): SandboxResponse {
  const codes: Record<number, [string, string]> = {
    400: ['rest_invalid_field', 'A field that a plugin adds is not valid.'],
    401: ['incorrect_password', 'The provided password is an invalid application password.'],
    403: ['rest_cannot_edit', 'Sorry, you are not allowed to edit this post.'],
    404: ['rest_post_invalid_id', 'Invalid post ID.'],
    422: ['rest_meta_database_error', 'Could not update the meta value of a field in the database.'],
    429: ['too_many_requests', 'Too many requests.'],
  };
  const [code, message] = codes[status] ?? [
    'internal_server_error',
    'There has been a critical error on this website.',
  ];
  const response = buildFailure(status, code, message);
  return status === 429 ? { ...response, headers: { 'retry-after': '30' } } : response;
}
