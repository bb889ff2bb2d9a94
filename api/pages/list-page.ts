/** Articles: the newest of everybody on the front page, of one author, of a tag; the parts of a series. */
import { formatJsonLd, type JsonLd } from '../../article/discovery/json-ld.ts';
import { formatDate } from '../../article/text/format-date.ts';
import type { ListedArticle } from '../../store/lists/list-articles.ts';
import { type Link, renderLinks } from '../discovery/links.ts';
import { type Html, html, trustHtml } from './html.ts';
import { renderPage } from './layout.ts';

/** Its relations, and what is said of it to search engines. */
export function renderListHead(links: readonly Link[], markup?: JsonLd): Html {
  const script = markup && html`<script type="application/ld+json">${trustHtml(formatJsonLd(markup))}</script>`;
  return html`${renderLinks(links)}${script}`;
}

/** `head` is what its own head has. */
export function renderListPage(heading: string, entries: readonly ListedArticle[], head: Html): string {
  const items = entries.map(
    ({ slug, title, excerpt, authorName, publishedAt }) => html`<li><a href="/${encodeURIComponent(slug)}">${title}</a>
<p>${excerpt}</p>
<p class="byline">${authorName} · ${formatDate(publishedAt)}</p></li>`,
  );
  const body = entries.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p>Nothing is published yet.</p>`;
  const title = heading === 'Latest' ? 'Courant' : `${heading} · Courant`;
  return renderPage(
    { title, description: 'Articles, published with Courant.', head },
    html`<h1>${heading}</h1>${body}`,
  );
}
