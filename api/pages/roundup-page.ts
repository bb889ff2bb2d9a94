/** The weekly roundups as readers see them: one week, and the list of weeks. */
import type { RoundupEntry } from '../../store/roundups/read-roundups.ts';
import { html } from './html.ts';
import { renderPage } from './layout.ts';

export function renderRoundupPage(week: string, entries: readonly RoundupEntry[]): string {
  const items = entries.map(
    ({
      slug,
      title,
      excerpt,
      authorName,
      authorUsername,
    }) => html`<li><a href="/${encodeURIComponent(slug)}">${title}</a>
<p>${excerpt}</p>
<p class="byline"><a href="/authors/${authorUsername}" rel="author">${authorName}</a></p></li>`,
  );
  const list =
    items.length > 0 ? html`<ol class="list">${items}</ol>` : html`<p>Everything in it has been taken back since.</p>`;
  return renderPage(
    { title: `${formatWeek(week)} · Courant`, description: 'The articles that were read and talked about most.' },
    html`<h1>${formatWeek(week)}</h1>${list}<p><a href="/roundup">All roundups</a></p>`,
  );
}

export function renderRoundupListPage(weeks: readonly string[]): string {
  const items = weeks.map((week) => html`<li><a href="/roundup/${week}">${formatWeek(week)}</a></li>`);
  const list = items.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p>There is no roundup yet.</p>`;
  return renderPage(
    {
      title: 'Weekly roundups · Courant',
      description: 'Every week, the articles that were read and talked about most.',
    },
    html`<h1>Weekly roundups</h1>${list}`,
  );
}

/** `week` is like `2026-W47`. */
function formatWeek(week: string): string {
  const [year, number] = week.split('-W');
  return `Roundup of week ${Number(number)}, ${year}`;
}
