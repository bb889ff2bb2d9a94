/** Articles: the newest of everybody on the front page, of one author, of a tag; the parts of a series. */
import { buildFeedUrl, FEED_FORMATS } from '../../article/discovery/feeds/feed-formats.ts';
import { formatJsonLd, type JsonLd } from '../../article/discovery/json-ld.ts';
import { formatDate } from '../../article/text/format-date.ts';
import type { ListedArticle } from '../../store/lists/list-articles.ts';
import { type Link, renderLinks } from '../discovery/links.ts';
import type { ReaderList } from '../discovery/reader-lists.ts';
import { type Html, html, trustHtml } from './html.ts';
import { renderPage } from './layout.ts';
import { renderTags } from './tags.ts';

/** Its relations, and what is said of it to search engines. */
export function renderListHead(links: readonly Link[], markup?: JsonLd): Html {
  const script = markup && html`<script type="application/ld+json">${trustHtml(formatJsonLd(markup))}</script>`;
  return html`${renderLinks(links)}${script}`;
}

/** `head` is what its own head has. */
export function renderListPage(
  { title, description, path }: Pick<ReaderList, 'title' | 'description' | 'path'>,
  entries: readonly ListedArticle[],
  head: Html,
): string {
  const items = entries.map(
    ({
      slug,
      title,
      excerpt,
      authorName,
      authorUsername,
      publishedAt,
      tags,
    }) => html`<li><a href="/${encodeURIComponent(slug)}">${title}</a>
<p>${excerpt}</p>
<p class="byline"><a href="/authors/${authorUsername}">${authorName}</a> · ${formatDate(publishedAt)}</p>
${renderTags(tags)}</li>`,
  );
  const body = entries.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p>Nothing is published yet.</p>`;
  const isSite = path === '/';
  return renderPage(
    { title: isSite ? title : `${title} · Courant`, description, head },
    html`<h1>${isSite ? 'Latest' : title}</h1><p class="subtitle">${description}</p>${body}<p class="byline">Follow as ${renderFeeds(path)}</p>`,
  );
}

function renderFeeds(path: string): Html {
  const feeds = FEED_FORMATS.map((format, index) => {
    const link = html`<a href="${buildFeedUrl(path, format)}" type="${format.type}">${format.name}</a>`;
    return index === 0 ? link : html` · ${link}`;
  });
  return html`${feeds}`;
}
