/** Renders an article's part number above the text, and links to the adjacent parts below it. */
import { buildSeriesPath } from '../../../article/discovery/paths.ts';
import { type Html, html } from '../../web/html.ts';

export interface ArticleSeries {
  id: string;
  title: string;
  /** In series order, including this article. */
  parts: readonly { slug: string; title: string }[];
}

export function renderSeriesHead(series: ArticleSeries | null, slug: string): Html | null {
  const index = findPartIndex(series, slug);
  if (series === null || index === -1) return null;
  return html`<p class="series-head" lang="en" dir="ltr">Part ${index + 1} of ${series.parts.length} in <a href="${buildSeriesPath(series.id)}" dir="auto">${series.title}</a></p>`;
}

export function renderSeriesEnd(series: ArticleSeries | null, slug: string): Html | null {
  const index = findPartIndex(series, slug);
  if (series === null || index === -1 || series.parts.length < 2) return null;
  return html`<nav class="series-end" aria-label="Series">${renderNeighbour('Previous', 'prev', series.parts[index - 1])}${renderNeighbour('Next', 'next', series.parts[index + 1])}</nav>`;
}

function renderNeighbour(
  word: string,
  rel: 'prev' | 'next',
  part: { slug: string; title: string } | undefined,
): Html | null {
  if (!part) return null;
  return html`<a class="${rel}" rel="${rel}" href="/${encodeURIComponent(part.slug)}"><span class="soft small">${word} part</span><span dir="auto">${part.title}</span></a>`;
}

function findPartIndex(series: ArticleSeries | null, slug: string): number {
  return series?.parts.findIndex((part) => part.slug === slug) ?? -1;
}
