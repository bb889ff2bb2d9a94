/** Statistics pages: of all articles of an author, or of one. */
import type { DayRange, RangeName } from '../../../store/calendar/ranges.ts';
import type { Counts, Metric } from '../../../store/statistics/count-steps.ts';
import type { Sources } from '../../../store/statistics/list-sources.ts';
import type { Ranking } from '../../../store/statistics/rank-articles.ts';
import { type Html, html } from '../../web/html.ts';
import { formatDaySpan } from './describe.ts';
import { renderMetricCard } from './metric-card.ts';
import { renderRankingTable } from './ranking-table.ts';
import { renderSourcesTable } from './sources-table.ts';

interface Facts {
  range: DayRange;
  zone: string;
  counts: Record<Metric, Counts>;
  sources: Sources;
}

const RANGES: Record<RangeName, string> = { '7d': '7 days', '30d': '30 days', '90d': '90 days', '12m': '12 months' };
const PATH = '/desk/statistics';

export function renderStatisticsPage(
  facts: Facts & { ranking: Ranking },
  pages: { page: number; pageLength: number },
): Html {
  const { range, ranking } = facts;
  if (ranking.count === 0 && isEmpty(facts)) return EMPTY;
  return html`${renderHead(PATH, facts)}
${renderCards(['views', 'readingSeconds', 'reactions', 'comments', 'followers', 'subscribers'], facts)}
<section><h2 id="articles">Articles</h2>${renderRankingTable(ranking, range, pages)}</section>
${renderSources(facts)}`;
}

export function renderArticleStatisticsPage(
  facts: Facts & { article: { id: string; title: string; slug: string; status: string } },
): Html {
  const { article, range } = facts;
  const page =
    article.status === 'PUBLISHED'
      ? html`<a href="/${encodeURIComponent(article.slug)}">View article</a>`
      : html`<span class="state">${article.status.toLowerCase()}</span>`;
  return html`<h2 class="subject" dir="auto">${article.title || 'Untitled'}</h2>
<p><a href="${PATH}?range=${range.name}">All articles</a> · ${page} · <a href="/desk/articles/${article.id}">View at the desk</a></p>
${renderHead(`${PATH}/${article.id}`, facts)}
${renderCards(['views', 'readingSeconds', 'reactions', 'comments'], facts)}
${renderSources(facts)}`;
}

function renderHead(path: string, { range, zone }: Facts): Html {
  const links = Object.entries(RANGES).map(
    ([name, text]) =>
      html`<a class="button compact" href="${path}?range=${name}"${name === range.name ? html` aria-current="true"` : null}>${text}</a>`,
  );
  return html`<nav class="actions ranges" aria-label="Time">${links}</nav>
<p class="soft small">${formatDaySpan(range.total)}, compared with ${formatDaySpan(range.previous)}. Days in ${zone}; today is incomplete. <a href="/desk/settings/digest">Change time zone</a></p>`;
}

function renderCards(metrics: readonly Metric[], { counts, range }: Facts): Html {
  return html`<div class="metrics">${metrics.map((metric) => renderMetricCard(metric, counts[metric], range))}</div>`;
}

function renderSources({ sources }: Facts): Html {
  return html`<section><h2 id="sources">Where readers came from</h2>${renderSourcesTable(sources)}</section>`;
}

function isEmpty({ counts }: Facts): boolean {
  return Object.values(counts).every(({ total, before }) => total + before === 0);
}

const EMPTY = html`<div class="empty"><p><strong>No published articles yet.</strong></p>
<p>After you publish an article, its views, reading time, sources, reactions, comments, new followers and new subscribers
appear here by day. Readers are counted without cookies and stay anonymous.</p>
<p><a class="button primary" href="/desk/write">Write your first article</a></p></div>`;
