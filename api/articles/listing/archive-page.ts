/** Renders a page of the archive: one line per article, grouped by month of publication. */
import { type Html, html } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import type { Teaser } from './teaser.ts';

export interface Archive {
  title: string;
  entries: readonly Teaser[];
  /** Path of the next page; null on the last one. */
  olderPath: string | null;
  isFirst: boolean;
  firstPath: string;
  head: Html;
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

export function renderArchivePage({ title, entries, olderPath, isFirst, firstPath, head }: Archive): string {
  const months = Map.groupBy(entries, ({ publishedAt }) => MONTH.format(publishedAt));
  const sections = [...months].map(
    ([month, articles]) =>
      html`<section><h2 class="rule">${month}</h2><ul class="lines">${articles.map(renderLine)}</ul></section>`,
  );
  const older = olderPath === null ? null : html`<a class="button" href="${olderPath}" rel="next">Older</a>`;
  const newest = isFirst ? null : html`<a class="button" href="${firstPath}">Newest</a>`;
  return renderPage(
    { title: `${title} · Courant`, head, current: 'archive' },
    html`<h1 dir="auto">${title}</h1>
${entries.length > 0 ? sections : html`<p class="lede">${isFirst ? 'Nothing is published yet.' : 'No older articles.'}</p>`}
${older || newest ? html`<nav class="actions" aria-label="Pages">${newest}${older}</nav>` : null}`,
  );
}

function renderLine({ slug, title, authorName, publishedAt }: Teaser): Html {
  return html`<li><time datetime="${publishedAt.toISOString()}">${DAY.format(publishedAt)}</time> <span><a href="/${encodeURIComponent(slug)}" dir="auto">${title}</a> <span class="soft" dir="auto">${authorName}</span></span></li>`;
}
