/** Renders the desk's first page: the author's articles with their deliveries. */
import { findDescriptor } from '../../../destinations/registry.ts';
import { type Html, html } from '../../web/html.ts';
import { renderCommandForm, showsCommands } from './grid-cell.ts';
import { renderRow } from './grid-row.ts';
import { type Connection, type Grid, MAX_ATTENTION_COUNT } from './load-grid.ts';
import { buildListPath, type GridFilter, type View } from './read-filter.ts';

export const LIST_ACTIONS = html`<a class="button primary" href="/desk/write">Write</a>`;

/**
 * `back`: the address of this page. `zone`: the author's time zone; null if unknown. `steps`: the
 * remaining set-up of an operator, shown first.
 */
export function renderListPage(
  grid: Grid,
  { back, zone, steps }: { back: string; zone: string | null; steps: Html | null },
): Html {
  const refused = grid.connections.filter(({ status }) => status === 'unauthorised');
  const list = html`${renderCommandForm(back)}${renderBulk(grid, back)}${renderTable(grid, zone)}${renderPages(grid)}`;
  return renderGridFrame(
    html`${steps}${refused.map(renderRefused)}${renderFilters(grid)}${grid.rows.length === 0 ? EMPTY : list}`,
  );
}

/** The script replaces the content of the frame and shows messages above it. */
export function renderGridFrame(content: Html): Html {
  return html`<div data-message aria-live="polite"></div>
<div id="grid">${content}</div>`;
}

const EMPTY = html`<p class="empty">No articles. <a href="/desk">Show all articles</a></p>`;

function renderBulk({ attentionCount }: Grid, back: string): Html {
  const all =
    attentionCount > 0 ? html`<button class="button compact" name="what" value="all">Retry all failed</button>` : null;
  return html`<form id="bulk" class="actions bulk" method="post" action="/desk/retry"><input type="hidden" name="back" value="${back}">
<button class="button compact" name="what" value="selected">Retry selected</button>${all}</form>`;
}

/** With more buttons, the page would be too long to scan. The bulk buttons above it remain. */
const MAX_CELLS_WITH_BUTTONS = 36;

function renderTable({ rows, columns }: Grid, zone: string | null): Html {
  const isBrief = rows.flatMap(({ cells }) => cells.filter(showsCommands)).length > MAX_CELLS_WITH_BUTTONS;
  const hint = isBrief
    ? html`<p class="soft small">Many deliveries need attention, so their buttons are on the page of each article. The buttons above act on several articles at once.</p>`
    : null;
  return html`${hint}<div class="scroll-x" tabindex="0" role="region" aria-label="Articles and their destinations">
<table class="data-table grid">
<thead><tr><th scope="col"><span class="sr-only">Selected</span></th><th scope="col">Article</th><th scope="col"><span class="sr-only">Actions</span></th><th scope="col" class="number">Views, 30 days</th>${columns.map(
    (label) => html`<th scope="col">${label}</th>`,
  )}</tr></thead>
<tbody>${rows.map((row) => renderRow(row, { isBrief, zone }))}</tbody>
</table></div>`;
}

function renderPages({ filter, newer, older }: Grid): Html | null {
  if (newer === null && older === null) return null;
  const [before, after] = filter.seriesId === '' ? ['Newer', 'Older'] : ['Earlier parts', 'Later parts'];
  return html`<nav class="pages" aria-label="Pages">${
    newer === null
      ? null
      : html`<a class="button" rel="prev" href="${buildListPath(filter, { before: newer })}">${before}</a>`
  }${older === null ? null : html`<a class="button" rel="next" href="${buildListPath(filter, { after: older })}">${after}</a>`}</nav>`;
}

function renderRefused({ platform, account }: Connection): Html {
  const accountName = account === null ? null : html` (<bdi>${account}</bdi>)`;
  return html`<div class="notice warning"><p>${findDescriptor(platform)?.label ?? platform}${accountName} rejects the credential. Nothing is sent there until you connect it again; waiting deliveries are then
sent automatically. <a href="/desk/settings">Connect it again</a></p></div>`;
}

const TEXTS: Record<View, string> = {
  all: 'All',
  'needs-attention': 'Needs attention',
  published: 'Public',
  scheduled: 'Scheduled',
  drafts: 'Drafts',
};

function renderFilters({ filter, attentionCount, series }: Pick<Grid, 'filter' | 'attentionCount' | 'series'>): Html {
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
