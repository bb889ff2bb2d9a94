/** An article in a list: its cover where it has one, its title, how it begins, whose and when. */

import { getDirection } from '../../../article/language/language-tag.ts';
import { formatDate } from '../../../article/text/format-date.ts';
import type { ListedArticle } from '../../../store/lists/list-articles.ts';
import { type Html, html } from '../../web/html.ts';
import { renderTags } from '../page/tags.ts';

export type Teaser = ListedArticle;

export interface TeaserOptions {
  /** Of its title: one below what it stands under. */
  level: 2 | 3;
  /** The first of the front page. */
  isLead?: boolean;
  /** In place of the excerpt: the words at which a search met it. */
  snippet?: Html;
}

export function renderTeaser(teaser: Teaser, { level, isLead = false, snippet }: TeaserOptions): Html {
  const { title, coverImage, tags } = teaser;
  const path = `/${encodeURIComponent(teaser.slug)}`;
  const language = describeLanguage(teaser.language);
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

/** The page around it is English. Of an unknown language, the first letter tells the direction. */
function describeLanguage(language: string | null): Html {
  return language ? html` lang="${language}" dir="${getDirection(language)}"` : html` dir="auto"`;
}
