/** Serves the search page: each result with a snippet around the matching words. */
import type { FastifyInstance } from 'fastify';
import type { SnippetPart } from '../../../article/search/snippet.ts';
import type { ApiDeps } from '../../deps.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { compressPages } from '../../web/assets/compress-pages.ts';
import { type Html, html } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import { PRIVATE_HEADERS, sendPage } from '../../web/send-page.ts';
import { MAX_SEARCH_CHARACTERS, readListQuery } from './list-query.ts';
import { type ListPage, readList } from './read-list.ts';
import type { LimitSearches } from './search-limit.ts';
import { renderTeaser } from './teaser.ts';

const PAGE_LENGTH = 20;
const HINT =
  'Articles match if they contain all the words; the last word can be a prefix. Put "a phrase" in quotation marks, and exclude a word with -word.';

export async function searchRoutes(
  app: FastifyInstance,
  { db, now, limitSearches }: ApiDeps & { limitSearches: LimitSearches },
) {
  compressPages(app);
  app.get<{ Querystring: Record<string, unknown> }>('/search', async (request, reply) => {
    const { q: typed, after } = request.query;
    const q = typeof typed === 'string' ? typed.trim().slice(0, MAX_SEARCH_CHARACTERS) : '';
    if (q === '') return sendPage(reply, 200, renderSearchPage(q, html`<p class="soft">${HINT}</p>`), PRIVATE_HEADERS);
    try {
      const isFirst = typeof after !== 'string';
      const query = { ...readListQuery({ q, ...(isFirst ? {} : { after }) }), first: PAGE_LENGTH };
      const page = await limitSearches(request, () => readList({ db, now }, query));
      return sendPage(reply, 200, renderSearchPage(q, renderResults(q, page, isFirst)), PRIVATE_HEADERS);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const body = html`<div class="notice refused" role="alert"><p>${error.message}</p></div>`;
      return sendPage(reply, error.statusCode, renderSearchPage(q, body), { ...PRIVATE_HEADERS, ...error.headers });
    }
  });
}

function renderSearchPage(q: string, body: Html): string {
  return renderPage(
    {
      title: q === '' ? 'Search · Courant' : `${q} · Search · Courant`,
      description: 'Search the articles of this site.',
      isNoindex: true,
    },
    html`<h1>Search</h1>
<form class="search-form" action="/search" role="search" aria-label="All articles"><input type="search" name="q" value="${q}" aria-label="Words to search for" required maxlength="200"${q === '' ? html` autofocus` : null}><button class="button primary">Search</button></form>
${body}`,
  );
}

function renderResults(q: string, { cards, next }: ListPage, isFirst: boolean): Html {
  if (cards.length === 0) {
    return html`<p class="lede" role="status">${isFirst ? html`No articles found for “<bdi>${q}</bdi>”.` : 'No more results.'}</p><p>Try fewer or other words, or browse the <a href="/archive">archive</a>.</p>`;
  }
  const items = cards.map(
    ({ snippet = [], ...card }) =>
      html`<li>${renderTeaser({ ...card, coverImage: null }, { level: 2, snippet: renderSnippet(snippet) })}</li>`,
  );
  const olderPath = next && `/search?${new URLSearchParams({ q, after: next })}`;
  return html`<ul class="teasers">${items}</ul>${olderPath && html`<p><a class="button" href="${olderPath}" rel="next">More</a></p>`}`;
}

function renderSnippet(parts: readonly SnippetPart[]): Html {
  return html`${parts.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : html`${text}`))}`;
}
