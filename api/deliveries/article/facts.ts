/** Renders an article's page views, series, tags and AI preferences. */
import { type ContentSignal, SIGNAL_USES, type SignalUse } from '../../../article/discovery/content-signal.ts';
import { type Html, html } from '../../web/html.ts';
import { buildListPath } from '../grid/read-filter.ts';
import type { ArticleView } from './load-article.ts';
import { renderPageViews } from './page-views.ts';

const NO_FILTER = { view: 'all', tag: '', seriesId: '', search: '' } as const;

export function renderFacts({ article, series, signal, pageViews }: ArticleView): Html {
  const tags = article.tags.map(
    (tag) => html`<li><a href="${buildListPath({ ...NO_FILTER, tag })}" dir="auto">${tag}</a></li>`,
  );
  return html`<h2>Views</h2>${renderPageViews(pageViews)}${article.deletedAt === null ? html`<p class="small"><a href="/desk/statistics/${article.id}">Full statistics</a></p>` : null}
<h2>More</h2><dl class="facts">
${series ? html`<div><dt>Series</dt><dd><a href="${buildListPath({ ...NO_FILTER, seriesId: series.id })}" dir="auto">${series.title}</a></dd></div>` : null}
${tags.length === 0 ? null : html`<div><dt>Tags</dt><dd><ul class="plain-list tags">${tags}</ul></dd></div>`}
<div><dt>Agents</dt><dd>${renderSignal(signal)}</dd></div>
</dl>`;
}

const USES: Record<SignalUse, string> = {
  search: 'show it in search results',
  'ai-input': 'use it as input for answers',
  'ai-train': 'train on it',
};

function renderSignal(signal: ContentSignal): Html {
  const statedUses = SIGNAL_USES.filter((use) => signal[use] !== undefined);
  if (statedUses.length === 0) return html`No AI preference set.`;
  return html`${statedUses.map((use) => html`They ${signal[use] ? 'may' : 'may not'} ${USES[use]}. `)}`;
}
