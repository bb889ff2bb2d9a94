/** Renders an article's page, complete without script. Publishing sanitised the body. */
import { buildCardPath, CARD_HEIGHT, CARD_WIDTH, describeCard, hashCard } from '../../../article/cards/card.ts';
import { buildJsonLd, formatJsonLd } from '../../../article/discovery/json-ld.ts';
import { buildSeriesPath } from '../../../article/discovery/paths.ts';
import { describeSite } from '../../../article/discovery/site.ts';
import type { StoredArticle } from '../../../article/discovery/stored-article.ts';
import { markFileNames } from '../../../article/render/code/mark-file-names.ts';
import { formatDate } from '../../../article/text/format-date.ts';
import type { Heading } from '../../../article/types.ts';
import type { ReactionCount } from '../../../store/reactions/react.ts';
import { type Discussion, nameCount, renderDiscussion } from '../../readers/comments/discussion.ts';
import { renderFollowForm, renderReactions } from '../../readers/engagement/buttons.ts';
import { buildArticleViewerPath } from '../../readers/paths.ts';
import { renderAvatar } from '../../web/avatar.ts';
import { type Html, html, trustHtml } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import { listArticleLinks, renderLinks } from '../alternates/links.ts';
import { renderLanguage, renderTags, renderTeaser, type Teaser } from '../listing/teaser.ts';

interface ArticleSeries {
  id: string;
  title: string;
  /** In series order, including this article. */
  parts: readonly { slug: string; title: string }[];
}

/** What the page shows besides the text. */
export interface ArticleSurroundings {
  author: { bio: string | null; pictureUrl: string | null };
  series: ArticleSeries | null;
  /** Public copies at destinations. */
  copies: readonly { name: string; url: string }[];
  related: readonly Teaser[];
  reactions: readonly ReactionCount[];
  /** Null if the article has no discussion. */
  discussion: Discussion | null;
}

export interface ArticlePageOptions {
  baseUrl: string;
  generateToc: boolean;
}

export function renderArticlePage(
  article: StoredArticle,
  around: ArticleSurroundings,
  options: ArticlePageOptions,
): string {
  const { derived } = article;
  const contents = options.generateToc ? renderContents(derived.headings) : null;
  return renderPage(
    {
      title: article.title,
      description: article.subtitle ?? derived.excerpt,
      head: renderHead(article, around, options),
      width: 'wide',
    },
    html`<div class="progress" aria-hidden="true"></div><article class="reading${contents ? ' with-contents' : ''}"${renderLanguage(derived.language)} data-viewer="${buildArticleViewerPath(article.slug)}" data-readings="api/v1/articles/${encodeURIComponent(article.slug)}/readings">
${renderHeader(article, around)}
${contents}
<div class="prose">${trustHtml(markFileNames(derived.html))}</div>
<footer class="article-end" lang="en" dir="ltr">${renderTags(article.tags)}<div class="respond">${renderReactions(article.slug, around.reactions)}${renderShare(article)}</div>${renderCopies(around.copies)}${renderSeriesEnd(around.series, article.slug)}${renderAuthorCard(article, around)}</footer>
</article>
${around.discussion && renderDiscussion(around.discussion)}
${renderRelated(around.related)}`,
  );
}

function renderHead(
  article: StoredArticle,
  { discussion }: ArticleSurroundings,
  { baseUrl }: ArticlePageOptions,
): Html {
  const facts = { image: buildPictureUrl(article, baseUrl), ...(discussion && { commentCount: discussion.count }) };
  const { derived, publishedAt, updatedAt } = article;
  return html`${renderLinks(listArticleLinks(article, baseUrl))}<meta property="og:type" content="article">
<meta property="og:title" content="${article.title}">
<meta property="og:description" content="${derived.excerpt}">
<meta property="og:url" content="${article.url}">
<meta property="og:site_name" content="Courant">
<meta property="article:published_time" content="${publishedAt.toISOString()}">
<meta property="article:modified_time" content="${updatedAt.toISOString()}">
${renderPictureHead(article, baseUrl)}
<script type="application/ld+json">${trustHtml(formatJsonLd(buildJsonLd(article, describeSite(baseUrl), facts)))}</script>`;
}

function renderHeader(
  article: StoredArticle,
  { author: { pictureUrl }, series, discussion }: ArticleSurroundings,
): Html {
  const { author, publishedAt: published, derived } = article;
  return html`<header class="article-header">${renderSeriesHead(series, article.slug)}<h1>${article.title}</h1>
${article.subtitle ? html`<p class="subtitle" dir="auto">${article.subtitle}</p>` : null}
<p class="byline" lang="en" dir="ltr">${renderAvatar({ name: author.name, pictureUrl })}<span><a href="${author.url}" rel="author" dir="auto">${author.name}</a><br>
<time datetime="${published.toISOString()}">${formatDate(published)}</time> · <span class="nowrap">${derived.readingTimeMinutes} min read</span>${renderCommentsLink(discussion)}</span></p>
${article.coverImage ? html`<img class="cover" src="${article.coverImage}" alt="" width="1600" height="900" fetchpriority="high" decoding="async">` : null}</header>`;
}

function renderCommentsLink(discussion: Discussion | null): Html | null {
  if (!discussion || discussion.count === 0) return null;
  const { count, answer } = discussion;
  return html` · <a class="nowrap" href="#comments">${nameCount(count)}${answer ? ', answered' : null}</a>`;
}

function renderCopies(copies: ArticleSurroundings['copies']): Html | null {
  if (copies.length === 0) return null;
  const links = copies.map(
    ({ name, url }, index) =>
      html`${index === 0 ? '' : ' · '}<a href="${url}" rel="syndication nofollow noopener">${name}</a>`,
  );
  return html`<p class="soft small">Also at ${links}</p>`;
}

function renderAuthorCard({ author }: StoredArticle, { author: { bio, pictureUrl } }: ArticleSurroundings): Html {
  return html`<section class="author-card" aria-label="About the author">${renderAvatar({ name: author.name, pictureUrl }, 'large')}<div><p class="author-name"><a href="${author.url}" rel="author" dir="auto">${author.name}</a></p>
${bio ? html`<p class="bio" dir="auto">${bio}</p>` : null}</div>${renderFollowForm(author.username)}</section>`;
}

function renderRelated(related: readonly Teaser[]): Html | null {
  if (related.length === 0) return null;
  const items = related.map((teaser) => html`<li>${renderTeaser({ ...teaser, tags: [] }, { level: 3 })}</li>`);
  return html`<aside class="related" aria-labelledby="related"><h2 id="related" class="rule">Read next</h2><ul class="teasers">${items}</ul></aside>`;
}

/**
 * The table of contents; null for fewer than two headings. Collapsed until `early.ts` opens it on
 * wide screens: a list that collapses later would move text that a browser already shows.
 */
function renderContents(headings: readonly Heading[]): Html | null {
  const listed = headings.filter(({ level }) => level === 2 || level === 3);
  if (listed.length < 2) return null;
  const items = listed.map(({ id, text, level }) => {
    const link = html`<a href="#${id}" dir="auto">${text}</a>`;
    return level === 2 ? html`<li>${link}</li>` : html`<li class="sub">${link}</li>`;
  });
  return html`<nav class="toc" aria-label="Contents"><details><summary lang="en">Contents</summary><ol>${items}</ol></details></nav>`;
}

/** A mail link. The page's script adds the options of the browser. */
function renderShare({ title, url }: { title: string; url: string }): Html {
  const query = new URLSearchParams({ subject: title, body: url }).toString().replaceAll('+', '%20');
  return html`<div class="share" role="group" aria-label="Share" data-share="${url}"><a class="button compact" href="mailto:?${query}">Mail<span class="sr-only"> the link to someone</span></a></div>`;
}

function renderSeriesHead(series: ArticleSeries | null, slug: string): Html | null {
  const index = findPartIndex(series, slug);
  if (series === null || index === -1) return null;
  return html`<p class="series-head" lang="en" dir="ltr">Part ${index + 1} of ${series.parts.length} in <a href="${buildSeriesPath(series.id)}" dir="auto">${series.title}</a></p>`;
}

function renderSeriesEnd(series: ArticleSeries | null, slug: string): Html | null {
  const index = findPartIndex(series, slug);
  if (series === null || index === -1 || series.parts.length < 2) return null;
  return html`<nav class="series-end" aria-label="Series">${renderNeighbour('Previous', 'prev', series.parts[index - 1])}${renderNeighbour('Next', 'next', series.parts[index + 1])}</nav>`;
}

function renderNeighbour(
  word: string,
  rel: 'prev' | 'next',
  part: { slug: string; title: string } | undefined,
): Html | null {
  if (!part) return null;
  return html`<a class="${rel}" rel="${rel}" href="/${encodeURIComponent(part.slug)}"><span class="soft small">${word} part</span><span dir="auto">${part.title}</span></a>`;
}

function findPartIndex(series: ArticleSeries | null, slug: string): number {
  return series?.parts.findIndex((part) => part.slug === slug) ?? -1;
}

function renderPictureHead(article: StoredArticle, baseUrl: string): Html {
  const cardType = html`<meta name="twitter:card" content="summary_large_image">`;
  if (article.coverImage) {
    return html`<meta property="og:image" content="${article.coverImage}">
${cardType}`;
  }
  return html`<meta property="og:image" content="${buildPictureUrl(article, baseUrl)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${CARD_WIDTH}">
<meta property="og:image:height" content="${CARD_HEIGHT}">
<meta property="og:image:alt" content="${article.title}">
${cardType}`;
}

function buildPictureUrl(article: StoredArticle, baseUrl: string): string {
  return article.coverImage ?? `${baseUrl}${buildCardPath(article.slug, hashCard(describeCard(article, baseUrl)))}`;
}
