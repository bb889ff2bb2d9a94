/** Articles: the newest of everybody on the front page, of one author, of a tag; the parts of a series. */
import { buildFeedUrl, FEED_FORMATS } from '../../article/discovery/feeds/feed-formats.ts';
import type { listRecentArticles } from '../../store/articles/find-for-readers.ts';
import { formatDate } from './article-page.ts';
import { type Html, html } from './html.ts';
import { renderPage } from './layout.ts';

type Entry = Pick<
  Awaited<ReturnType<typeof listRecentArticles>>[number],
  'slug' | 'title' | 'excerpt' | 'authorName' | 'publishedAt'
>;

/** `pageUrl` is the address of the page, below which its feeds are. */
export function renderListPage(heading: string, entries: readonly Entry[], pageUrl: string): string {
  const items = entries.map(
    ({ slug, title, excerpt, authorName, publishedAt }) => html`<li><a href="/${encodeURIComponent(slug)}">${title}</a>
<p>${excerpt}</p>
<p class="byline">${authorName}${publishedAt ? ` · ${formatDate(publishedAt)}` : ''}</p></li>`,
  );
  const body = entries.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p>Nothing is published yet.</p>`;
  const title = heading === 'Latest' ? 'Courant' : `${heading} · Courant`;
  return renderPage(
    { title, description: 'Articles, published with Courant.', head: renderFeedLinks(heading, pageUrl) },
    html`<h1>${heading}</h1>${body}`,
  );
}

/** By which a reader of feeds finds them. */
function renderFeedLinks(heading: string, pageUrl: string): Html {
  const links = FEED_FORMATS.map(
    (format) =>
      html`<link rel="alternate" type="${format.type}" title="${heading} (${format.name})" href="${buildFeedUrl(pageUrl, format)}">\n`,
  );
  return html`${links}`;
}
