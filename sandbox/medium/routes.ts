/** Serves Medium's API v1 under `/medium/v1`. It can only show the account and create posts. */
import type { FastifyInstance } from 'fastify';
import { findOwner, type MediumAccount, SECOND_MEDIUM_USER } from '../accounts.ts';
import { type SandboxContext, showPosts } from '../context.ts';
import { type AddOwnRoute, createRoutes, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { sendFeed, sendNoFeed } from '../feeds.ts';
import { MANUAL_POST } from '../manual-post.ts';
import { buildFailure, createPost, type MediumContext, type MediumPost } from './posts.ts';

/** As in Medium's own feed. */
const MAX_FEED_ITEMS = 10;

export function registerMedium(app: FastifyInstance, sandbox: SandboxContext): void {
  const { mediumAccounts, siteUrl } = sandbox;
  const posts = sandbox.state.openTable<MediumPost>('medium', 'blogsite_c');
  const medium: MediumContext = { ...sandbox, posts };
  posts.addManual({
    ...{ id: '665f1f77bcf8', account: SECOND_MEDIUM_USER, title: MANUAL_POST.title, content: MANUAL_POST.text },
    ...{ tags: [], canonicalUrl: null, status: 'published', license: 'all-rights-reserved' },
    ...{ path: '/medium/@second/harbour-notes-665f1f77bcf8', createdAt: MANUAL_POST.at },
  });
  showPosts(sandbox, 'Medium (blogsite_c)', posts, ({ path, tags, content: text }) => ({ path, tags, text }));

  const readToken = ({ headers }: SandboxRequest) => /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  const route = createRoutes(app, sandbox, {
    platform: 'blogsite_c',
    base: '/medium/v1',
    listAccounts: (request) => [findOwner(mediumAccounts, readToken(request))].flatMap((account) => account?.id ?? []),
    buildFailure: buildDefaultFailure,
  });
  const withToken: AddOwnRoute<MediumAccount> = (method, path, action, work) =>
    route(method, path, action, (request) => {
      if (!request.headers['user-agent']?.trim()) return CHALLENGE;
      const token = readToken(request);
      if (token === undefined) return buildFailure(401, 'An access token is required.', 6000);
      const account = findOwner(mediumAccounts, token);
      return account ? work(account, request) : buildFailure(401, 'Token was invalid.', 6003);
    });

  withToken('GET', '/me', 'probe', ({ id, username, name }) => {
    const data = { id, username, name, url: `${siteUrl()}/medium/@${username}`, imageUrl: `${siteUrl()}/avatar.png` };
    return { status: 200, body: { data } };
  });
  withToken('POST', '/users/:authorId/posts', 'create', (account, { params, body }) =>
    createPost(medium, account, params.authorId ?? '', body),
  );

  app.get<{ Params: { name: string } }>('/medium/feed/:name', ({ params }, reply) => {
    const account = Object.values(mediumAccounts).find(({ username }) => `@${username}` === params.name);
    if (!account) return sendNoFeed(reply);
    const stories = posts.list().filter((post) => post.account === account.id && post.status === 'published');
    const items = stories.slice(-MAX_FEED_ITEMS).map(({ id, title, path, tags, createdAt: at, content }) => ({
      ...{ title, tags, at },
      link: `${siteUrl()}${encodeURI(path)}?source=rss-${account.id.slice(0, 12)}------2`,
      guid: { value: `https://medium.com/p/${id}`, isPermaLink: false },
      html: `${content}<img src="https://medium.com/_/stat?event=post.clientViewed&postId=${id}" width="1" height="1" alt="">`,
    }));
    return sendFeed(reply, `Stories by ${account.name} on Medium`, items);
  });
}

/** Cloudflare, in front of Medium, treats clients without a user agent as bots. */
const CHALLENGE: SandboxResponse = {
  status: 403,
  headers: { 'content-type': 'text/html; charset=UTF-8', 'cf-mitigated': 'challenge' },
  body: '<!DOCTYPE html><title>Just a moment...</title>',
};

/** A 429 comes from the edge, in plain text. */
function buildDefaultFailure(status: number): SandboxResponse {
  if (status === 429) {
    return { status, headers: { 'content-type': 'text/plain', 'retry-after': '30' }, body: 'error code: 1015' };
  }
  const errors: Record<number, [message: string, code: number]> = {
    400: ['The request is invalid.', 2004],
    401: ['Token was invalid.', 6003],
    403: ['The user is not permitted to do this.', 2002],
    404: ['Not found.', 404],
  };
  const [message, code] = errors[status] ?? ['An unexpected error occurred.', -1];
  return buildFailure(status, message, code);
}
