/** Renders the page of a weekly roundup, and the list of all roundups. */
import { nameRoundup, ROUNDUPS } from '../../../article/discovery/roundup-alternate.ts';
import type { RoundupEntry } from '../../../store/roundups/read-roundups.ts';
import { html } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import type { Link } from '../alternates/links.ts';
import { renderLinks } from '../alternates/links.ts';

export function renderRoundupPage(week: string, entries: readonly RoundupEntry[], links: readonly Link[]): string {
  const items = entries.map(
    ({
      slug,
      title,
      excerpt,
      authorName,
      authorUsername,
    }) => html`<li><a href="/${encodeURIComponent(slug)}" dir="auto">${title}</a>
<p dir="auto">${excerpt}</p>
<p class="byline"><a href="/authors/${authorUsername}" rel="author" dir="auto">${authorName}</a></p></li>`,
  );
  const list =
    items.length > 0 ? html`<ol class="list">${items}</ol>` : html`<p>All its articles have been unpublished.</p>`;
  return renderPage(
    {
      title: `${nameRoundup(week)} · Courant`,
      description: 'The most read and most discussed articles.',
      head: renderLinks(links),
      current: 'roundup',
    },
    html`<h1>${nameRoundup(week)}</h1>${list}<p><a href="/roundup">All roundups</a></p>`,
  );
}

export function renderRoundupListPage(weeks: readonly string[], links: readonly Link[]): string {
  const items = weeks.map((week) => html`<li><a href="/roundup/${week}">${nameRoundup(week)}</a></li>`);
  const list = items.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p>No roundups yet.</p>`;
  return renderPage(
    {
      title: `${ROUNDUPS.title} · Courant`,
      description: ROUNDUPS.description,
      head: renderLinks(links),
      current: 'roundup',
    },
    html`<h1>${ROUNDUPS.title}</h1><p class="subtitle">${ROUNDUPS.description}</p>${list}`,
  );
}
