/** Serves the search page. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../../deps.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { compressPages } from '../../web/assets/compress-pages.ts';
import { PRIVATE_HEADERS, sendPage } from '../../web/send-page.ts';
import { MAX_SEARCH_CHARACTERS, readListQuery } from './list-query.ts';
import { readList } from './read-list.ts';
import type { LimitSearches } from './search-limit.ts';
import { renderSearchPage, type SearchPage } from './search-page.ts';
import { toTeaser } from './to-teaser.ts';

const PAGE_LENGTH = 20;
const NO_RESULTS = { results: [], olderPath: null, isFirst: true, problem: null };

export async function searchRoutes(
  app: FastifyInstance,
  { db, config, now, limitSearches }: ApiDeps & { limitSearches: LimitSearches },
) {
  compressPages(app);
  app.get<{ Querystring: Record<string, unknown> }>('/search', { schema: { hide: true } }, async (request, reply) => {
    const { q, after } = request.query;
    const typed = typeof q === 'string' ? q.trim().slice(0, MAX_SEARCH_CHARACTERS) : '';
    if (typed === '') return sendPage(reply, 200, renderSearchPage({ q: '', ...NO_RESULTS }), PRIVATE_HEADERS);
    try {
      const page = await search(request, { q: typed, ...(typeof after === 'string' ? { after } : {}) });
      return sendPage(reply, 200, renderSearchPage(page), PRIVATE_HEADERS);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const body = renderSearchPage({ q: typed, ...NO_RESULTS, problem: error.message });
      return sendPage(reply, error.statusCode, body, { ...PRIVATE_HEADERS, ...error.headers });
    }
  });

  async function search(request: FastifyRequest, parameters: { q: string; after?: string }): Promise<SearchPage> {
    const query = { ...readListQuery(parameters), first: PAGE_LENGTH };
    const { data, next } = await limitSearches(request, () => readList({ db, baseUrl: config.baseUrl, now }, query));
    return {
      q: parameters.q,
      results: data.map((entry) => ({
        teaser: toTeaser(entry),
        snippet: (entry.snippet ?? []).map(({ text, match: isMatch }) => ({ text, isMatch })),
      })),
      olderPath: next === null ? null : `/search?${new URLSearchParams({ q: parameters.q, after: next })}`,
      isFirst: parameters.after === undefined,
      problem: null,
    };
  }
}
