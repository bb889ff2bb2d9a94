/**
 * Serves Ghost's Admin API for each site under `/<site>/ghost/api/admin`: token, then the resource.
 * Every path ends in a slash.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GhostContext, SandboxContext } from '../context.ts';
import type { FaultableAction, SandboxResponse } from '../faults.ts';
import { sendSandboxResponse } from '../send-response.ts';
import { refuseToken } from './auth.ts';
import { buildDefaultResponse, buildEndpointNotFound, buildPostNotFound } from './errors.ts';
import { parseFilter } from './filter.ts';
import { listGhostPosts } from './list-posts.ts';
import { buildFilterError, createPost, deletePost, editPost, type GhostQuery } from './posts.ts';
import type { GhostRecord } from './records.ts';
import { showPost } from './views.ts';

const MAX_BODY_BYTES = 50 * 1024 * 1024;

type Query = GhostQuery & Record<string, string | undefined>;

export function registerGhost(app: FastifyInstance, sandbox: SandboxContext): void {
  for (const site of sandbox.ghostSites) registerSite(app, { ...sandbox, site });
}

function registerSite(app: FastifyInstance, sandbox: GhostContext): void {
  const { name } = sandbox.site;
  const base = `/${name}/ghost/api/admin`;
  const siteUrl = () => `${sandbox.site.url()}/`;
  // A key belongs to the site, so the site is the account.
  const accounts = [name];
  const serve = (
    request: FastifyRequest,
    reply: FastifyReply,
    action: FaultableAction | null,
    work: () => SandboxResponse,
  ): Promise<FastifyReply> =>
    sendSandboxResponse(sandbox, reply, {
      platform: 'cms_site',
      action,
      accounts,
      work: async () => (await refuseToken(sandbox, request.headers.authorization)) ?? work(),
      buildDefaultAnswer: buildDefaultResponse,
    });
  const options = { bodyLimit: MAX_BODY_BYTES };

  app.get(`${base}/site/`, (_request, reply) => {
    // The public name is the same wherever the sandbox listens. The URLs of posts are the real
    // ones.
    const site = { title: 'Sandbox Ghost', url: sandbox.site.publicUrl, version: '6.65' };
    const work = (): SandboxResponse => ({ status: 200, body: { site } });
    return sendSandboxResponse(sandbox, reply, {
      platform: 'cms_site',
      action: 'probe',
      accounts,
      work,
      buildDefaultAnswer: buildDefaultResponse,
    });
  });

  app.post<{ Querystring: Query }>(`${base}/posts/`, options, (request, reply) =>
    serve(request, reply, 'create', () => createPost(sandbox, siteUrl(), request.query, request.body)),
  );

  app.put<{ Params: { id: string }; Querystring: Query }>(`${base}/posts/:id/`, options, (request, reply) => {
    const posts = (request.body as { posts?: { status?: unknown }[] } | null)?.posts;
    const action = posts?.[0]?.status === 'draft' ? 'withdraw' : 'update';
    return serve(request, reply, action, () =>
      editPost(sandbox, siteUrl(), request.params.id, request.query, request.body),
    );
  });

  app.delete<{ Params: { id: string } }>(`${base}/posts/:id/`, (request, reply) =>
    serve(request, reply, 'withdraw', () => deletePost(sandbox, request.params.id)),
  );

  app.get<{ Querystring: Query }>(`${base}/posts/`, (request, reply) => {
    // A probe requests one post without a filter.
    const isProbe = request.query.filter === undefined && request.query.limit === '1';
    return serve(request, reply, isProbe ? 'probe' : 'find', () => browse(sandbox, siteUrl(), request.query));
  });

  const showFirst = (matches: (post: GhostRecord) => boolean, query: Query) => (): SandboxResponse => {
    const post = listGhostPosts(sandbox).find(matches);
    return post ? { status: 200, body: { posts: [showPost(post, siteUrl(), query)] } } : buildPostNotFound('read');
  };
  app.get<{ Params: { id: string }; Querystring: Query }>(`${base}/posts/:id/`, (request, reply) =>
    serve(
      request,
      reply,
      'find',
      showFirst(({ id }) => id === request.params.id, request.query),
    ),
  );
  app.get<{ Params: { slug: string }; Querystring: Query }>(`${base}/posts/slug/:slug/`, (request, reply) =>
    serve(
      request,
      reply,
      'find',
      showFirst(({ slug }) => slug === request.params.slug, request.query),
    ),
  );

  app.all(`${base}/*`, (request, reply) => {
    const [path = '', query] = request.url.split('?');
    if (!path.endsWith('/')) return reply.redirect(`${path}/${query === undefined ? '' : `?${query}`}`, 301);
    return serve(request, reply, null, () => buildEndpointNotFound(request.headers['accept-version']));
  });
}

function browse(sandbox: GhostContext, siteUrl: string, query: Query): SandboxResponse {
  const matches = query.filter === undefined ? () => true : parseFilter(query.filter, siteUrl);
  if (matches === null) return buildFilterError();
  const posts = listGhostPosts(sandbox).filter(matches);
  const limit = Math.min(100, Math.max(1, Number.parseInt(query.limit ?? '15', 10) || 15));
  const page = Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1);
  const pages = Math.max(1, Math.ceil(posts.length / limit));
  const pagination = { page, limit, pages, total: posts.length, next: page < pages ? page + 1 : null, prev: null };
  const shown = posts.slice((page - 1) * limit, page * limit).map((post) => showPost(post, siteUrl, query));
  return { status: 200, body: { posts: shown, meta: { pagination } } };
}
