/** Statistics pages: of all articles of an author, or of one. */
import { domainToUnicode } from 'node:url';
import type { DayRange, RangeName } from '../../../store/calendar/ranges.ts';
import type { Counts, Metric } from '../../../store/statistics/count-steps.ts';
import type { Sources } from '../../../store/statistics/list-sources.ts';
import type { RankedArticle, Ranking } from '../../../store/statistics/rank-articles.ts';
import { type Html, html } from '../../web/html.ts';
import { renderPlot, renderSparkline } from '../../web/plots/plot.ts';
import {
  formatCompactNumber,
  formatDaySpan,
  formatNumber,
  formatReadingTime,
  formatShare,
  nameStep,
  renderChange,
} from './describe.ts';

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

/** `page` counts from 1. */
function renderRankingTable(
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

function renderSourcesTable({ listed, more, views }: Sources): Html {
  if (listed.length === 0) return html`<p class="soft">No views in this period.</p>`;
  const rows = listed.map((source) => renderSource(renderHost(source.host), source.views, views));
  const rest =
    more.hosts > 0
      ? renderSource(html`<span class="soft">${formatNumber(more.hosts)} more</span>`, more.views, views)
      : null;
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="Sources"><table class="data-table sources"><thead><tr><th scope="col">Source</th><th scope="col" class="number">Views</th><th scope="col" class="number">Share</th></tr></thead><tbody>${rows}${rest}</tbody></table></div>
<p class="soft small">Browsers report the referring site, or nothing. Sites are not linked because anyone can send any name.</p>`;
}

function renderSource(name: Html, views: number, totalViews: number): Html {
  return html`<tr><th scope="row">${name}<svg class="share" aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none"><rect width="${Math.round((views / Math.max(totalViews, 1)) * 1000) / 10}" height="1"/></svg></th><td class="number">${formatNumber(views)}</td><td class="number">${formatShare(views, totalViews)}</td></tr>`;
}

/**
 * Shows an international name in ASCII first, as browsers send it, so that it cannot imitate
 * another one. The decoded name follows.
 */
function renderHost(host: string): Html {
  if (host === 'direct') return html`Direct <span class="soft small">no referring site reported</span>`;
  if (host === 'other') return html`Other <span class="soft small">over the daily limit</span>`;
  const unicodeName = host.includes('xn--') ? domainToUnicode(host) : '';
  const isShown = unicodeName !== '' && unicodeName !== host && !/[\p{Cc}\p{Cf}]/u.test(unicodeName);
  return html`<bdi dir="ltr">${host}</bdi>${isShown ? html` <bdi class="soft small">${unicodeName}</bdi>` : null}`;
}

interface Style {
  title: string;
  kind: 'line' | 'bars';
  format: (value: number) => string;
  /** Unit of the plot. `format` labels one level of its axis. */
  chooseUnit: (highest: number) => { size: number; format: (level: number) => string };
}

const COUNTED = { format: formatNumber, chooseUnit: () => ({ size: 1, format: formatCompactNumber }) };
const HOUR_S = 3_600;
/** From this value on, the plot shows hours, because minutes would be large numbers. */
const MIN_SECONDS_IN_HOURS = 2 * HOUR_S;

const STYLES: Record<Metric, Style> = {
  views: { title: 'Views', kind: 'line', ...COUNTED },
  readingSeconds: { title: 'Reading time', kind: 'line', format: formatReadingTime, chooseUnit: chooseTimeUnit },
  reactions: { title: 'Reactions', kind: 'bars', ...COUNTED },
  comments: { title: 'Comments', kind: 'bars', ...COUNTED },
  followers: { title: 'New followers', kind: 'bars', ...COUNTED },
  subscribers: { title: 'New subscribers', kind: 'bars', ...COUNTED },
};

function renderMetricCard(metric: Metric, { steps, total, before }: Counts, range: DayRange): Html {
  const { title, kind, format, chooseUnit } = STYLES[metric];
  const unit = chooseUnit(Math.max(0, ...steps));
  const plot = renderPlot({
    id: `plot-${metric}`,
    title,
    kind,
    description: describe({ steps, total, before }, range, format),
    steps: range.steps.map((step) => nameStep(range, step)),
    stepHeading: range.unit === 'day' ? 'Day' : 'Month',
    values: steps.map((value) => value / unit.size),
    formatValue: (value) => format(Math.round(value * unit.size)),
    formatLevel: unit.format,
  });
  return html`<section class="card metric" aria-labelledby="${metric}"><h2 id="${metric}">${title}</h2>
<p class="metric-total"><strong>${format(total)}</strong> ${renderChange({ total, before }, format)}</p>
${plot}</section>`;
}

function chooseTimeUnit(highest: number) {
  return highest >= MIN_SECONDS_IN_HOURS
    ? { size: HOUR_S, format: (hours: number) => `${formatCompactNumber(hours)} h` }
    : { size: 60, format: (minutes: number) => `${formatNumber(minutes)} min` };
}

function describe({ steps, total, before }: Counts, range: DayRange, format: (value: number) => string): string {
  const highest = Math.max(...steps);
  const peak = range.steps[steps.indexOf(highest)];
  const summary = `By ${range.unit}, ${formatDaySpan(range.total)}: ${format(total)} in total, ${format(before)} in the previous period.`;
  return highest === 0 || !peak
    ? summary
    : `${summary} The highest value was ${format(highest)}, ${nameStep(range, peak).name}.`;
}
