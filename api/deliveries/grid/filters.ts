/** Renders the filters of the article list: links for states, and a form for the rest. */

import { type Html, html } from '../../web/html.ts';
import { type Grid, MAX_ATTENTION_COUNT } from './load-grid.ts';
import { buildListPath, type GridFilter, type View } from './read-filter.ts';

const TEXTS: Record<View, string> = {
  all: 'All',
  'needs-attention': 'Needs attention',
  published: 'Public',
  scheduled: 'Scheduled',
  drafts: 'Drafts',
};

export function renderFilters({
  filter,
  attentionCount,
  series,
}: Pick<Grid, 'filter' | 'attentionCount' | 'series'>): Html {
  const views = Object.keys(TEXTS) as View[];
  return html`<nav class="tabs" aria-label="Articles by state"><ul>${views.map((view) => renderView(view, filter, attentionCount))}</ul></nav>
<form class="filters" action="/desk" role="search">
${filter.view === 'all' ? null : html`<input type="hidden" name="state" value="${filter.view}">`}
<label><span>Search</span> <input type="search" name="q" value="${filter.search}" placeholder="Search" maxlength="200"></label>
<label><span>Tag</span> <input name="tag" value="${filter.tag}" placeholder="Tag" maxlength="200"></label>
${series.length === 0 ? null : renderSeries(series, filter)}
<button class="button">Show</button>${renderReset(filter)}
</form>`;
}

function renderView(view: View, filter: GridFilter, attentionCount: number): Html {
  const count = attentionCount >= MAX_ATTENTION_COUNT ? `${MAX_ATTENTION_COUNT - 1}+` : attentionCount;
  const badge = view === 'needs-attention' && attentionCount > 0 ? html` <span class="badge">${count}</span>` : null;
  const current = view === filter.view ? html` aria-current="page"` : null;
  return html`<li><a href="${buildListPath({ ...filter, view })}"${current}>${TEXTS[view]}${badge}</a></li>`;
}

function renderSeries(series: Grid['series'], { seriesId }: GridFilter): Html {
  return html`<label><span>Series</span> <select name="series"><option value="">Any series</option>${series.map(
    ({ id, title }) => html`<option value="${id}"${id === seriesId ? html` selected` : null}>${title}</option>`,
  )}</select></label>`;
}

function renderReset({ view, tag, seriesId, search }: GridFilter): Html | null {
  const isNarrowed = tag !== '' || seriesId !== '' || search !== '';
  const path = buildListPath({ view, tag: '', seriesId: '', search: '' });
  return isNarrowed ? html` <a href="${path}">Clear filters</a>` : null;
}
