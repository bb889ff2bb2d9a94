/**
 * Serves Ghost's Admin API for each site under `/<site>/ghost/api/admin`: token, then the resource.
 * Every path ends in a slash.
 */
import type { FastifyInstance } from 'fastify';
import { GHOST_SITES, type GhostSite } from '../accounts.ts';
import { type SandboxContext, showPosts } from '../context.ts';
import { type AddRoute, createRoutes, type SandboxRequest } from '../exchange.ts';
import { MANUAL_POST } from '../manual-post.ts';
import { refuseToken } from './auth.ts';
import type { GhostContext, GhostPost } from './context.ts';
import { buildDefaultFailure, buildGhostError } from './errors.ts';
import { browsePosts, buildBlankPost, createPost, editPost, readPost } from './posts.ts';

const MAX_BODY_BYTES = 50 * 1024 * 1024;

export function registerGhost(app: FastifyInstance, sandbox: SandboxContext): void {
  for (const [name, site] of Object.entries(GHOST_SITES)) registerSite(app, sandbox, name, site);
}

function registerSite(app: FastifyInstance, sandbox: SandboxContext, name: string, site: GhostSite): void {
  const posts = sandbox.state.openTable<GhostPost>(name, 'cms_site');
  const ghost: GhostContext = { ...sandbox, posts, site: name };
  if (name === 'ghost-site-b') {
    posts.addManual({
      ...buildBlankPost(name, MANUAL_POST.at),
      ...{ id: '665f1f77bcf86cd799439041', title: MANUAL_POST.title, slug: MANUAL_POST.slug, tags: ['sea'] },
      ...{ html: `<p>${MANUAL_POST.text}</p>`, status: 'published', publishedAt: MANUAL_POST.at },
    });
  }
  showPosts(sandbox, `Ghost (cms_site, /${name})`, posts, ({ slug, tags, html }) => ({
    path: `/${name}/${slug}/`,
    tags,
    text: html ?? '',
  }));

  const open = createRoutes(app, sandbox, {
    platform: 'cms_site',
    base: `/${name}/ghost/api/admin`,
    // A key belongs to the site, so the site is the account.
    listAccounts: () => [name],
    buildFailure: buildDefaultFailure,
    bodyLimit: MAX_BODY_BYTES,
  });
  const withToken: AddRoute = (method, path, action, work) =>
    open(method, path, action, async (request) => {
      const { authorization = '' } = request.headers;
      return (await refuseToken(site, authorization, sandbox.now())) ?? work(request);
    });
  const findChange = ({ body }: SandboxRequest) =>
    (body as { posts?: { status?: unknown }[] } | null)?.posts?.[0]?.status === 'draft' ? 'withdraw' : 'update';
  // A probe requests one post without a filter.
  const findRead = ({ query }: SandboxRequest) =>
    query.filter === undefined && query.limit === '1' ? 'probe' : 'find';

  // The public name is the same wherever the sandbox listens. The URLs of posts are the real ones.
  open('GET', '/site/', 'probe', () => ({
    status: 200,
    body: { site: { title: 'Sandbox Ghost', url: site.publicUrl, version: '6.65' } },
  }));
  withToken('GET', '/posts/', findRead, ({ query }) => browsePosts(ghost, query));
  withToken('POST', '/posts/', 'create', ({ query, body }) => createPost(ghost, query, body));
  withToken('GET', '/posts/:id/', 'find', ({ params, query }) => readPost(ghost, params.id ?? '', query));
  withToken('PUT', '/posts/:id/', findChange, ({ params, query, body }) =>
    editPost(ghost, params.id ?? '', query, body),
  );
  // Ghost assumes a client of another version. A path without its slash is unknown too.
  withToken('GET', '/*', null, () => {
    const message = 'Request could not be served, the endpoint was not found.';
    return buildGhostError(406, { type: 'RequestNotAcceptableError', message, code: 'UPDATE_CLIENT' });
  });
}
