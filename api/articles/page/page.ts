/** Renders an article's page, complete without script. Publishing sanitised the body. */
import { buildJsonLd, formatJsonLd } from '../../../article/discovery/json-ld.ts';
import { describeSite } from '../../../article/discovery/site.ts';
import type { StoredArticle } from '../../../article/discovery/stored-article.ts';
import { getDirection } from '../../../article/language/language-tag.ts';
import { markFileNames } from '../../../article/render/code/mark-file-names.ts';
import { formatDate } from '../../../article/text/format-date.ts';
import type { ReactionCount } from '../../../store/reactions/react.ts';
import { type Discussion, nameCount, renderDiscussion } from '../../readers/comments/list.ts';
import { renderFollowForm } from '../../readers/engagement/follow-button.ts';
import { renderReactions } from '../../readers/engagement/reactions.ts';
import { buildArticleViewerPath } from '../../readers/paths.ts';
import { renderAvatar } from '../../web/avatar.ts';
import { type Html, html, trustHtml } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import { listArticleLinks, renderLinks } from '../alternates/links.ts';
import { buildPictureUrl, renderPictureHead } from '../cards/head.ts';
import { renderTeaser, type Teaser } from '../listing/teaser.ts';
import { type ArticleSeries, renderSeriesEnd, renderSeriesHead } from './article-series.ts';
import { renderContents } from './contents.ts';
import { renderShare } from './share.ts';
import { renderTags } from './tags.ts';

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
    html`<div class="progress" aria-hidden="true"></div><article class="reading${contents ? ' with-contents' : ''}"${describeLanguage(derived.language)} data-viewer="${buildArticleViewerPath(article.slug)}" data-readings="api/v1/articles/${encodeURIComponent(article.slug)}/readings">
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

/** The surrounding page is English. `dir="auto"` derives the direction of an unknown language. */
function describeLanguage(language: string | null | undefined): Html {
  return language ? html` lang="${language}" dir="${getDirection(language)}"` : html` lang="" dir="auto"`;
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
