/** Renders the search page: each result with a snippet around the matching words. */
import type { SnippetPart } from '../../../article/search/snippet.ts';
import { type Html, html } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import { renderTeaser, type Teaser } from './teaser.ts';

export interface SearchPage {
  /** The text as typed; empty before a search. */
  q: string;
  results: readonly { teaser: Teaser; snippet: readonly SnippetPart[] }[];
  olderPath: string | null;
  isFirst: boolean;
  /** Reason why the search failed. */
  problem: string | null;
}

export function renderSearchPage(page: SearchPage): string {
  const { q } = page;
  return renderPage(
    {
      title: q === '' ? 'Search · Courant' : `${q} · Search · Courant`,
      description: 'Search the articles of this site.',
      isNoindex: true,
    },
    html`<h1>Search</h1>
<form class="search-form" action="/search" role="search" aria-label="All articles"><input type="search" name="q" value="${q}" aria-label="Words to search for" required maxlength="200"${q === '' ? html` autofocus` : null}><button class="button primary">Search</button></form>
${renderResults(page)}`,
  );
}

function renderResults({ q, results, olderPath, isFirst, problem }: SearchPage): Html {
  if (problem !== null) return html`<div class="notice refused" role="alert"><p>${problem}</p></div>`;
  if (q === '')
    return html`<p class="soft">Articles match if they contain all the words; the last word can be a prefix. Put "a phrase" in quotation marks, and exclude a word with -word.</p>`;
  if (results.length === 0) {
    return html`<p class="lede" role="status">${isFirst ? html`No articles found for “<bdi>${q}</bdi>”.` : 'No more results.'}</p><p>Try fewer or other words, or browse the <a href="/archive">archive</a>.</p>`;
  }
  const items = results.map(
    ({ teaser, snippet }) =>
      html`<li>${renderTeaser({ ...teaser, coverImage: null }, { level: 2, snippet: renderSnippet(snippet) })}</li>`,
  );
  return html`<ul class="teasers">${items}</ul>${olderPath === null ? null : html`<p><a class="button" href="${olderPath}" rel="next">More</a></p>`}`;
}

function renderSnippet(parts: readonly SnippetPart[]): Html {
  return html`${parts.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : html`${text}`))}`;
}
