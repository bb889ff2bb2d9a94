/** The newest articles: everybody's on the front page, or one author's. */
import type { listRecentArticles } from '../../store/articles/find-for-readers.ts';
import { formatDate } from './article-page.ts';
import { html } from './html.ts';
import { renderPage } from './layout.ts';

type Entry = Awaited<ReturnType<typeof listRecentArticles>>[number];

export function renderListPage(heading: string, entries: readonly Entry[]): string {
  const items = entries.map(
    ({ slug, title, excerpt, authorName, publishedAt }) => html`<li><a href="/${encodeURIComponent(slug)}">${title}</a>
<p>${excerpt}</p>
<p class="byline">${authorName}${publishedAt ? ` · ${formatDate(publishedAt)}` : ''}</p></li>`,
  );
  const body = entries.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p>Nothing is published yet.</p>`;
  const title = heading === 'Latest' ? 'Courant' : `${heading} · Courant`;
  return renderPage({ title, description: 'Articles, published with Courant.' }, html`<h1>${heading}</h1>${body}`);
}
