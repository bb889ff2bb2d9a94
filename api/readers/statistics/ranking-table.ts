/** Table of the author's articles, most viewed first. */
import type { DayRange } from '../../../store/calendar/ranges.ts';
import type { RankedArticle, Ranking } from '../../../store/statistics/rank-articles.ts';
import { type Html, html } from '../../web/html.ts';
import { renderSparkline } from '../../web/plots/plot.ts';
import { formatNumber, formatReadingTime } from './describe.ts';

/** `page` counts from 1. */
export function renderRankingTable(
  { articles, count, deletedViews }: Ranking,
  range: DayRange,
  { page, pageLength }: { page: number; pageLength: number },
): Html {
  const isLast = page * pageLength >= count;
  const deleted =
    isLast && deletedViews > 0
      ? html`<tr><th scope="row"><span class="soft">Articles deleted since then</span></th><td class="number">${formatNumber(deletedViews)}</td><td colspan="3"></td></tr>`
      : null;
  const path = (number: number) => `/desk/statistics?range=${range.name}&page=${number}#articles`;
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="Articles"><table class="data-table ranking"><thead><tr><th scope="col">Article</th><th scope="col" class="number">Views</th><th scope="col"><span class="sr-only">Views over time</span></th><th scope="col" class="number">Average read</th><th scope="col" class="number">Reactions</th></tr></thead><tbody>${articles.map((article) => renderRow(article, range))}${deleted}</tbody></table></div>
${
  count > pageLength
    ? html`<nav class="actions" aria-label="Pages of articles">${page > 1 ? html`<a class="button compact" rel="prev" href="${path(page - 1)}">More views</a>` : null}<span class="soft small">${formatNumber((page - 1) * pageLength + 1)} to ${formatNumber(Math.min(page * pageLength, count))} of ${formatNumber(count)}</span>${isLast ? null : html`<a class="button compact" rel="next" href="${path(page + 1)}">Fewer views</a>`}</nav>`
    : null
}`;
}

function renderRow(
  { id, title, status, views, readingSeconds, reactions, steps }: RankedArticle,
  range: DayRange,
): Html {
  const state = status === 'PUBLISHED' ? null : html` <span class="state">${status.toLowerCase()}</span>`;
  return html`<tr id="a-${id}"><th scope="row"><a href="/desk/statistics/${id}?range=${range.name}"><bdi>${title || 'Untitled'}</bdi></a>${state}</th><td class="number">${formatNumber(views)}</td><td>${renderSparkline(steps)}</td><td class="number">${views === 0 ? '–' : formatReadingTime(readingSeconds / views)}</td><td class="number">${formatNumber(reactions)}</td></tr>`;
}
