/** Renders the front page: the newest article, the next ones, and links to topics and writers. */
import { buildTagPath, hasTagPath } from '../../../article/discovery/paths.ts';
import { nameRoundup } from '../../../article/discovery/roundup-alternate.ts';
import type { BusyAuthor, BusyLists } from '../../../store/lists/busy-lists.ts';
import type { RoundupEntry } from '../../../store/roundups/read-roundups.ts';
import { renderAvatar } from '../../web/avatar.ts';
import { type Html, html } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import type { ReaderList } from '../alternates/reader-lists.ts';
import { renderFollow } from './list-page.ts';
import { renderTeaser, type Teaser } from './teaser.ts';

export interface Home {
  newest: readonly Teaser[];
  busy: BusyLists;
  /** The newest roundup, without articles that are no longer public. */
  roundup: { week: string; entries: readonly RoundupEntry[] } | null;
}

const MAX_FEATURED = 5;

export function renderHomePage(
  { title, description, path }: Pick<ReaderList, 'title' | 'description' | 'path'>,
  home: Home,
  head: Html,
): string {
  const [lead, ...others] = home.newest;
  const masthead = html`<div class="masthead"><h1>Fresh from the repository</h1><p class="lede">Articles that their authors write in Markdown, published here and delivered to the sites where they are read.</p></div>`;
  const body = lead
    ? html`${renderTeaser(lead, { level: 2, isLead: true })}
<div class="columns"><section aria-labelledby="latest"><h2 id="latest" class="rule">Latest</h2>
${others.length > 0 ? html`<ul class="teasers">${others.map((teaser) => html`<li>${renderTeaser(teaser, { level: 3 })}</li>`)}</ul>` : html`<p class="soft">No other articles yet.</p>`}
<p><a href="/archive">All articles</a></p></section>
<aside aria-label="More to read">${renderFeatured(home.roundup)}${renderTopics(home.busy.tags)}${renderWriters(home.busy.authors)}${renderFollow(path)}</aside></div>`
    : html`<p class="lede">Nothing is published yet.</p>`;
  return renderPage({ title, description, head, width: 'wide', current: 'latest' }, html`${masthead}${body}`);
}

function renderFeatured(roundup: Home['roundup']): Html | null {
  if (roundup === null || roundup.entries.length === 0) return null;
  const items = roundup.entries
    .slice(0, MAX_FEATURED)
    .map(
      ({ slug, title, authorName }) =>
        html`<li><a href="/${encodeURIComponent(slug)}" dir="auto">${title}</a> <span class="soft small" dir="auto">${authorName}</span></li>`,
    );
  return html`<section><h2 class="rule">Featured this week</h2><ol class="ranked">${items}</ol>
<p class="small"><a href="/roundup/${roundup.week}">${nameRoundup(roundup.week)}</a></p></section>`;
}

function renderTopics(tags: readonly string[]): Html | null {
  const listed = tags.filter(hasTagPath);
  if (listed.length === 0) return null;
  return html`<section><h2 class="rule">Topics</h2><ul class="chips">${listed.map((tag) => html`<li><a href="${buildTagPath(tag)}" dir="auto">${tag}</a></li>`)}</ul></section>`;
}

function renderWriters(authors: readonly BusyAuthor[]): Html | null {
  if (authors.length === 0) return null;
  const items = authors.map(
    (author) =>
      html`<li>${renderAvatar(author)}<a href="/authors/${author.username}" dir="auto">${author.name}</a></li>`,
  );
  return html`<section><h2 class="rule">Writers</h2><ul class="people">${items}</ul></section>`;
}
