/** Renders an article in a list: cover, title, excerpt and byline. */
import { buildTagPath, hasTagPath } from '../../../article/discovery/paths.ts';
import { getDirection } from '../../../article/language/language-tag.ts';
import { formatDate } from '../../../article/text/format-date.ts';
import type { ArticleCard } from '../../../store/lists/list-articles.ts';
import { type Html, html } from '../../web/html.ts';

export type Teaser = ArticleCard;

export interface TeaserOptions {
  /** Heading level of the title: one below the heading above it. */
  level: 2 | 3;
  /** True for the first article of the front page. */
  isLead?: boolean;
  /** Shown instead of the excerpt: the text around a search match. */
  snippet?: Html;
}

export function renderTeaser(teaser: Teaser, { level, isLead = false, snippet }: TeaserOptions): Html {
  const { title, coverImage, tags } = teaser;
  const path = `/${encodeURIComponent(teaser.slug)}`;
  const language = renderLanguage(teaser.language);
  const link = html`<a href="${path}">${title}</a>`;
  const text = snippet ?? teaser.excerpt;
  return html`<article class="teaser${isLead ? ' lead' : ''}${coverImage ? ' covered' : ''}">
${coverImage ? html`<a class="teaser-cover" href="${path}" tabindex="-1" aria-hidden="true"><img src="${coverImage}" alt="" width="1600" height="1000"${isLead ? html` fetchpriority="high"` : html` loading="lazy"`} decoding="async"></a>` : null}
<div class="teaser-text">${level === 2 ? html`<h2${language}>${link}</h2>` : html`<h3${language}>${link}</h3>`}
${text === '' ? null : html`<p class="teaser-excerpt"${language}>${text}</p>`}
${renderByline(teaser)}${renderTags(tags)}</div>
</article>`;
}

export function renderByline({
  authorName,
  authorUsername,
  publishedAt,
  readingTimeMinutes,
}: Omit<Teaser, 'tags'>): Html {
  const time = readingTimeMinutes === null ? null : html` · <span class="nowrap">${readingTimeMinutes} min read</span>`;
  return html`<p class="byline"><a href="/authors/${authorUsername}" rel="author" dir="auto">${authorName}</a> · <time datetime="${publishedAt.toISOString()}">${formatDate(publishedAt)}</time>${time}</p>`;
}

/** The surrounding page is English. `dir="auto"` derives the direction of an unknown language. */
export function renderLanguage(language: string | null | undefined): Html {
  return language ? html` lang="${language}" dir="${getDirection(language)}"` : html` lang="" dir="auto"`;
}

export function renderTags(tags: readonly string[]): Html | null {
  return tags.length > 0 ? html`<ul class="tags">${tags.map(renderTag)}</ul>` : null;
}

function renderTag(tag: string): Html {
  const name = html`#${tag}`;
  return html`<li dir="auto">${hasTagPath(tag) ? html`<a href="${buildTagPath(tag)}" rel="tag">${name}</a>` : name}</li>`;
}
