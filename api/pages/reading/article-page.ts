/** The reader's page of an article, complete without script. The body was sanitised when the article was published. */
import { buildJsonLd, formatJsonLd } from '../../../article/discovery/json-ld.ts';
import { describeSite } from '../../../article/discovery/site.ts';
import type { StoredArticle } from '../../../article/discovery/stored-article.ts';
import { getDirection } from '../../../article/language/language-tag.ts';
import { formatDate } from '../../../article/text/format-date.ts';
import type { Heading } from '../../../article/types.ts';
import { listArticleLinks, renderLinks } from '../../discovery/links.ts';
import { type Html, html, trustHtml } from '../html.ts';
import { renderPage } from '../layout.ts';
import { renderTags } from './tags.ts';

export function renderArticlePage(article: StoredArticle, options: { baseUrl: string; generateToc: boolean }): string {
  const { derived, author, publishedAt: published } = article;
  const head = html`${renderLinks(listArticleLinks(article, options.baseUrl))}<meta property="og:type" content="article">
<meta property="og:title" content="${article.title}">
<meta property="og:description" content="${derived.excerpt}">
<meta property="og:url" content="${article.url}">
${article.coverImage ? html`<meta property="og:image" content="${article.coverImage}">` : null}
<script type="application/ld+json">${trustHtml(formatJsonLd(buildJsonLd(article, describeSite(options.baseUrl))))}</script>`;
  return renderPage(
    { title: article.title, description: article.subtitle ?? derived.excerpt, head },
    html`<article${describeLanguage(derived.language)} data-readings="api/v1/articles/${encodeURIComponent(article.slug)}/readings">
<header class="article-header"><h1>${article.title}</h1>
${article.subtitle ? html`<p class="subtitle" dir="auto">${article.subtitle}</p>` : null}
<p class="byline"><span lang="en" dir="ltr"><a href="${author.url}" rel="author">${author.name}</a> · <time datetime="${published.toISOString()}">${formatDate(published)}</time> · ${derived.readingTimeMinutes} min read</span></p>
${renderTags(article.tags)}</header>
${article.coverImage ? html`<img class="cover" src="${article.coverImage}" alt="">` : null}
${options.generateToc ? renderTableOfContents(derived.headings) : null}
<div class="prose">${trustHtml(derived.html)}</div>
</article>`,
  );
}

/** The page around it is English. Of an unknown language, the first letter tells the direction. */
function describeLanguage(language: string | null | undefined): Html {
  return language ? html` lang="${language}" dir="${getDirection(language)}"` : html` lang="" dir="auto"`;
}

function renderTableOfContents(headings: readonly Heading[]): Html | null {
  const listed = headings.filter(({ level }) => level === 2 || level === 3);
  if (listed.length < 2) return null;
  const items = listed.map(({ id, text, level }) =>
    level === 2 ? html`<li><a href="#${id}">${text}</a></li>` : html`<li class="sub"><a href="#${id}">${text}</a></li>`,
  );
  return html`<nav class="toc" aria-label="Contents"><strong>Contents</strong><ol>${items}</ol></nav>`;
}
