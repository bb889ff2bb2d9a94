/** Serves Forem's REST API v1 under `/forem/api`: user agent, edge, key, then the resource. */
import type { FastifyInstance } from 'fastify';
import { type ForemAccount, findOwner } from '../accounts.ts';
import { type SandboxContext, showPosts } from '../context.ts';
import {
  type AddOwnRoute,
  type AddRoute,
  createRoutes,
  type Query,
  type SandboxRequest,
  type SandboxResponse,
} from '../exchange.ts';
import { MANUAL_POST } from '../manual-post.ts';
import { buildBlankArticle, buildFailure, createArticle, listOwnArticles, updateArticle } from './articles.ts';
import { buildRateLimited, type ForemArticle, type ForemContext, ForemRates, nameOwner } from './context.ts';
import { indexArticle, listArticle, renderBody, showArticle, showUser } from './views.ts';

export function registerForem(app: FastifyInstance, sandbox: SandboxContext): void {
  const articles = sandbox.state.openTable<ForemArticle>('forem', 'blogsite_a');
  const forem: ForemContext = { ...sandbox, articles, rates: new ForemRates() };
  articles.addManual({
    ...buildBlankArticle('second', new Date(MANUAL_POST.at)),
    ...{ id: '901', title: MANUAL_POST.title, slug: 'harbour-notes-18h', bodyMarkdown: MANUAL_POST.text },
    ...{ tags: ['sea'], status: 'published', publishedAt: MANUAL_POST.at },
  });
  showPosts(sandbox, 'Forem (blogsite_a)', articles, (article) => ({
    path: `/forem/${article.account}/${article.slug}`,
    tags: article.tags,
    text: renderBody(article),
  }));

  const findCaller = ({ headers }: SandboxRequest) => findOwner(sandbox.foremAccounts, headers['api-key']);
  const route = createRoutes(app, sandbox, {
    platform: 'blogsite_a',
    base: '/forem/api',
    listAccounts: (request) => [findCaller(request)].flatMap((account) => (account ? nameOwner(account) : [])),
    buildFailure: buildDefaultFailure,
  });
  const open: AddRoute = (method, path, action, work) =>
    route(method, path, action, (request) => refuseAtEdge(forem, request) ?? work(request));
  const withKey: AddOwnRoute<ForemAccount> = (method, path, action, work) =>
    open(method, path, action, (request) => {
      const account = findCaller(request);
      return account ? work(account, request) : buildFailure(401, 'unauthorized');
    });
  const findChange = ({ body }: SandboxRequest) =>
    (body as { article?: { published?: unknown } } | null)?.article?.published === false ? 'withdraw' : 'update';

  withKey('POST', '/articles', 'create', (account, { body }) => createArticle(forem, account, body));
  withKey('PUT', '/articles/:id', findChange, (account, { params, body }) =>
    updateArticle(forem, account, params.id ?? '', body),
  );
  withKey('GET', '/articles/me/all', 'find', (account, { query }) => {
    const list = paginate(listOwnArticles(forem, account), query);
    return { status: 200, body: list.map((article) => listArticle(forem, article)) };
  });
  withKey('GET', '/users/me', 'probe', (account) => ({ status: 200, body: showUser(account) }));

  // Readers see published articles only.
  open('GET', '/articles', 'find', ({ query }) => {
    const account = Object.values(sandbox.foremAccounts).find(({ username }) => username === query.username);
    const own = account ? listOwnArticles(forem, account).filter(({ status }) => status === 'published') : [];
    return { status: 200, body: paginate(own, query).map((article) => indexArticle(forem, article)) };
  });
  open('GET', '/articles/:id', 'find', ({ params }) => {
    const article = articles.get(params.id ?? '');
    if (article?.status !== 'published') return buildFailure(404, 'not found');
    return { status: 200, body: showArticle(forem, article) };
  });
}

/**
 * Clients without a user agent count as bots. The edge counts by address (reads) or by address and
 * key (writes).
 */
function refuseAtEdge({ rateLimits, rates, now }: ForemContext, request: SandboxRequest): SandboxResponse | null {
  const { method, ip, headers } = request;
  if (!headers['user-agent']?.trim()) {
    return { status: 403, headers: { 'content-type': 'text/plain' }, body: 'Forbidden Bots' };
  }
  if (!rateLimits) return null;
  const at = now().getTime();
  return method === 'GET' ? rates.passEdge('read', ip, at) : rates.passEdge('write', `${ip} ${headers['api-key']}`, at);
}

function paginate<T>(list: T[], query: Query): T[] {
  const page = Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1);
  const size = Math.min(1000, Math.max(1, Number.parseInt(query.per_page ?? '30', 10) || 30));
  return list.slice((page - 1) * size, page * size);
}

function buildDefaultFailure(status: number): SandboxResponse {
  if (status === 429) return buildRateLimited();
  const errors: Record<number, string> = {
    401: 'unauthorized',
    403: 'forbidden',
    404: 'not found',
    422: 'Validation failed',
    500: 'internal server error',
    503: 'service unavailable',
  };
  return buildFailure(status, errors[status] ?? 'error');
}
