/** The page of a search. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LONGEST_SEARCH, readListQuery } from './list-query.ts';
import { readList } from './read-list.ts';
import { readTeaser } from './read-teaser.ts';
import type { LimitSearches } from './search-limit.ts';
import type { ApiDeps } from '../../deps.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { renderSearchPage, type SearchPage } from './search-page.ts';
import { PRIVATE_HEADERS, sendPage } from '../../web/send-page.ts';
import { compressPages } from '../../web/assets/compress-pages.ts';

const LENGTH = 20;
const UNASKED = { results: [], olderPath: null, isFirst: true, problem: null };

export async function searchRoutes(
  app: FastifyInstance,
  { db, config, now, limitSearches }: ApiDeps & { limitSearches: LimitSearches },
) {
  compressPages(app);
  app.get<{ Querystring: Record<string, unknown> }>('/search', { schema: { hide: true } }, async (request, reply) => {
    const { q, after } = request.query;
    const typed = typeof q === 'string' ? q.trim().slice(0, LONGEST_SEARCH) : '';
    if (typed === '') return sendPage(reply, 200, renderSearchPage({ q: '', ...UNASKED }), PRIVATE_HEADERS);
    try {
      const page = await search(request, { q: typed, ...(typeof after === 'string' ? { after } : {}) });
      return sendPage(reply, 200, renderSearchPage(page), PRIVATE_HEADERS);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const body = renderSearchPage({ q: typed, ...UNASKED, problem: error.message });
      return sendPage(reply, error.statusCode, body, { ...PRIVATE_HEADERS, ...error.headers });
    }
  });

  async function search(request: FastifyRequest, asked: { q: string; after?: string }): Promise<SearchPage> {
    const query = { ...readListQuery(asked), first: LENGTH };
    const { data, next } = await limitSearches(request, () => readList({ db, baseUrl: config.baseUrl, now }, query));
    return {
      q: asked.q,
      results: data.map((entry) => ({
        teaser: readTeaser(entry),
        snippet: (entry.snippet ?? []).map(({ text, match: isMatch }) => ({ text, isMatch })),
      })),
      olderPath: next === null ? null : `/search?${new URLSearchParams({ q: asked.q, after: next })}`,
      isFirst: asked.after === undefined,
      problem: null,
    };
  }
}
