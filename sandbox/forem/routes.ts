/** Serves Forem's REST API v1 under `/forem/api`: user agent, edge, key, then the resource. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ForemAccount, SandboxContext } from '../context.ts';
import type { FaultableAction, SandboxResponse } from '../faults.ts';
import { sendSandboxResponse } from '../send-response.ts';
import { buildFailure, createArticle, listOwnArticles, updateArticle } from './articles.ts';
import { ForemRates } from './rates.ts';
import type { ForemArticle } from './records.ts';
import { indexArticle, listArticle, showArticle, showUser } from './views.ts';

type Query = Record<string, string | undefined>;

export function registerForem(app: FastifyInstance, sandbox: SandboxContext): void {
  const rates = new ForemRates();
  const base = '/forem/api';

  const serve = (action: FaultableAction, request: FastifyRequest, work: () => SandboxResponse) => ({
    platform: 'blogsite_a' as const,
    action,
    accounts: [findCaller(sandbox, request)].flatMap((account) => account?.username ?? []),
    work: () => refuseAtEdge(sandbox, rates, request) ?? work(),
    buildDefaultAnswer,
  });
  const withKey =
    (request: FastifyRequest, work: (account: ForemAccount) => SandboxResponse) => (): SandboxResponse => {
      const account = findCaller(sandbox, request);
      return account ? work(account) : buildFailure(401, 'unauthorized');
    };
  const view = (article: ForemArticle) => ({
    siteUrl: sandbox.siteUrl(),
    account: Object.values(sandbox.foremAccounts).find(({ username }) => username === article.username),
  });

  app.post(`${base}/articles`, (request, reply) =>
    sendSandboxResponse(
      sandbox,
      reply,
      serve(
        'create',
        request,
        withKey(request, (account) => createArticle(sandbox, rates, account, request.body)),
      ),
    ),
  );

  app.put<{ Params: { id: string } }>(`${base}/articles/:id`, (request, reply) => {
    const article = (request.body as { article?: { published?: unknown } } | null)?.article;
    const action = article?.published === false ? 'withdraw' : 'update';
    const work = withKey(request, (account) => updateArticle(sandbox, rates, account, request.params.id, request.body));
    return sendSandboxResponse(sandbox, reply, serve(action, request, work));
  });

  for (const state of ['', '/all', '/published', '/unpublished']) {
    app.get<{ Querystring: Query }>(`${base}/articles/me${state}`, (request, reply) => {
      const isListed = (article: ForemArticle) => state === '/all' || article.published === (state !== '/unpublished');
      const work = withKey(request, (account) => {
        const list = paginate(listOwnArticles(sandbox, account).filter(isListed), request.query);
        return { status: 200, body: list.map((article) => listArticle(article, view(article))) };
      });
      return sendSandboxResponse(sandbox, reply, serve('find', request, work));
    });
  }

  app.get<{ Querystring: Query }>(`${base}/articles`, (request, reply) => {
    const { username } = request.query;
    const work = () => {
      const list = listPublished(sandbox).filter((article) => username === undefined || article.username === username);
      return {
        status: 200,
        body: paginate(list, request.query).map((article) => indexArticle(article, view(article))),
      };
    };
    return sendSandboxResponse(sandbox, reply, serve('find', request, work));
  });

  const showFirst = (matches: (article: ForemArticle) => boolean) => (): SandboxResponse => {
    const article = listPublished(sandbox).find(matches);
    return article ? { status: 200, body: showArticle(article, view(article)) } : buildFailure(404, 'not found');
  };
  app.get<{ Params: { id: string } }>(`${base}/articles/:id`, (request, reply) =>
    sendSandboxResponse(
      sandbox,
      reply,
      serve(
        'find',
        request,
        showFirst(({ id }) => id === request.params.id),
      ),
    ),
  );
  app.get<{ Params: { id: string; slug: string } }>(`${base}/articles/:id/:slug`, (request, reply) => {
    const { id: username, slug } = request.params;
    const work = showFirst((article) => article.username === username && article.slug === slug);
    return sendSandboxResponse(sandbox, reply, serve('find', request, work));
  });

  app.get(`${base}/users/me`, (request, reply) => {
    const work = withKey(request, (account) => ({ status: 200, body: showUser(account) }));
    return sendSandboxResponse(sandbox, reply, serve('probe', request, work));
  });
}

function findCaller({ foremAccounts }: SandboxContext, { headers }: FastifyRequest): ForemAccount | undefined {
  const key = headers['api-key'];
  return typeof key === 'string' && Object.hasOwn(foremAccounts, key) ? foremAccounts[key] : undefined;
}

/**
 * Clients without a user agent count as bots. The edge counts by address (reads) or by address and
 * key (writes).
 */
function refuseAtEdge(sandbox: SandboxContext, rates: ForemRates, request: FastifyRequest): SandboxResponse | null {
  if (!request.headers['user-agent']?.trim()) {
    return { status: 403, headers: { 'content-type': 'text/plain' }, body: 'Forbidden Bots' };
  }
  if (!sandbox.rateLimits) return null;
  const now = sandbox.now().getTime();
  if (request.method === 'GET') return rates.passEdge('read', request.ip, now);
  return rates.passEdge('write', `${request.ip} ${String(request.headers['api-key'])}`, now);
}

/** Newest first. */
function listPublished(sandbox: SandboxContext): ForemArticle[] {
  const list = [...sandbox.state.posts('blogsite_a').values()].filter((article) => article.published);
  return list.sort((left, right) => Number(right.id) - Number(left.id));
}

function paginate<T>(list: T[], query: Query): T[] {
  const page = Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1);
  const size = Math.min(1000, Math.max(1, Number.parseInt(query.per_page ?? '30', 10) || 30));
  return list.slice((page - 1) * size, page * size);
}

function buildDefaultAnswer(status: number): SandboxResponse {
  if (status === 429) {
    const body = { error: 'Rate limit reached, try again in 30 seconds', status };
    return { status, headers: { 'retry-after': '30' }, body };
  }
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
