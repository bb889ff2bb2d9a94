/** Renders the front page, and the article list of an author, a tag or a series. */
import { buildFeedUrl, FEED_FORMATS } from '../../../article/discovery/feeds/feed-formats.ts';
import { formatJsonLd, type JsonLd } from '../../../article/discovery/json-ld.ts';
import { buildTagPath, hasTagPath } from '../../../article/discovery/paths.ts';
import { nameRoundup } from '../../../article/discovery/roundup-alternate.ts';
import { namePlatforms } from '../../../destinations/registry.ts';
import type { BusyAuthor, BusyLists } from '../../../store/lists/busy-lists.ts';
import type { RoundupEntry } from '../../../store/roundups/read-roundups.ts';
import type { PublicProfile } from '../../../store/users/profile.ts';
import { nameFollowers, renderFollowForm, renderSubscribeForm } from '../../readers/engagement/buttons.ts';
import { buildAuthorPath } from '../../readers/paths.ts';
import { renderAvatar } from '../../web/avatar.ts';
import { type Html, html, trustHtml } from '../../web/html.ts';
import { renderPage } from '../../web/layout.ts';
import { type Link, renderLinks } from '../alternates/links.ts';
import type { ReaderList } from '../alternates/reader-lists.ts';
import { renderTeaser, type Teaser } from './teaser.ts';

export interface ListPage {
  list: Pick<ReaderList, 'title' | 'description' | 'path'>;
  entries: readonly Teaser[];
  /** True for a series, whose parts are numbered. */
  isOrdered: boolean;
  /** Only for an author's list. */
  profile: PublicProfile | undefined;
  /** Path of the archive page with older articles. Null if there are none. */
  olderPath: string | null;
}

export function renderListHead(links: readonly Link[], markup?: JsonLd): Html {
  const script = markup && html`<script type="application/ld+json">${trustHtml(formatJsonLd(markup))}</script>`;
  return html`${renderLinks(links)}${script}`;
}

/** `head` holds the elements for this page's `<head>`. */
export function renderListPage({ list, entries, isOrdered, profile, olderPath }: ListPage, head: Html): string {
  const { title, description, path } = list;
  const items = entries.map((entry) => html`<li>${renderTeaser(entry, { level: 2 })}</li>`);
  const teasers = isOrdered ? html`<ol class="teasers parts">${items}</ol>` : html`<ul class="teasers">${items}</ul>`;
  return renderPage(
    { title: `${title} · Courant`, description: profile?.bio || description, head, width: 'wide' },
    html`${profile ? renderProfile(profile) : html`<div class="list-head"><h1 dir="auto">${title}</h1><p class="lede" dir="auto">${description}</p></div>`}
<div class="single">${entries.length > 0 ? teasers : html`<p class="lede">Nothing is published yet.</p>`}
${olderPath === null ? null : html`<p><a href="${olderPath}">Older articles</a></p>`}
${renderFollow(path)}</div>`,
  );
}

function renderProfile({ name, username, bio, links, pictureUrl, articleCount, followerCount }: PublicProfile): Html {
  const count = `${articleCount} article${articleCount === 1 ? '' : 's'}`;
  return html`<div class="profile" data-viewer="${buildAuthorPath(username, 'viewer')}">${renderAvatar({ name, pictureUrl }, 'large')}<div><h1 dir="auto">${name}</h1>
<p class="soft">@${username} · ${count} · <span class="nowrap" data-followers="${followerCount}">${nameFollowers(followerCount)}</span></p>
${bio ? html`<p class="bio" dir="auto">${bio}</p>` : null}
${links.length > 0 ? html`<ul class="profile-links">${links.map((link) => html`<li><a href="${link}" rel="me nofollow noopener">${nameLink(link)}</a></li>`)}</ul>` : null}
<div class="take-part">${renderFollowForm(username)}${renderSubscribeForm(username)}</div></div></div>`;
}

function nameLink(link: string): string {
  return link.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '');
}

export function renderFollow(path: string): Html {
  const feeds = FEED_FORMATS.map((format, index) => {
    const link = html`<a href="${buildFeedUrl(path, format)}" type="${format.type}">${format.name}</a>`;
    return index === 0 ? link : html` · ${link}`;
  });
  return html`<p class="follow-feeds soft small">Follow as ${feeds}</p>`;
}

interface Home {
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
  const body = lead
    ? html`${renderMasthead('Fresh from the repository', 'Articles that their authors write in Markdown, published here and delivered to the sites where they are read.')}${renderTeaser(lead, { level: 2, isLead: true })}
<div class="columns"><section aria-labelledby="latest"><h2 id="latest" class="rule">Latest</h2>
${others.length > 0 ? html`<ul class="teasers">${others.map((teaser) => html`<li>${renderTeaser(teaser, { level: 3 })}</li>`)}</ul>` : html`<p class="soft">No other articles yet.</p>`}
<p><a href="/archive">All articles</a></p></section>
<aside aria-label="More to read">${renderFeatured(home.roundup)}${renderTopics(home.busy.tags)}${renderWriters(home.busy.authors)}${renderFollow(path)}</aside></div>`
    : EMPTY_SITE;
  return renderPage({ title, description, head, width: 'wide', current: 'latest' }, body);
}

function renderMasthead(heading: string, text: Html | string): Html {
  return html`<div class="masthead"><h1>${heading}</h1><p class="lede">${text}</p></div>`;
}

/**
 * All readers get the same page, so each next step names its reader. The script removes the first
 * one for signed-in readers.
 */
const EMPTY_SITE = html`${renderMasthead('Nothing is published yet', html`Here, authors publish articles that they write in Markdown. Courant delivers each article to ${namePlatforms('conjunction')}, as its author chooses. <a href="/about">About this site</a>`)}
<div class="next-steps">
<section data-signed-out><h2 class="rule">You are new here</h2><p>Create an account to write. The first article appears on this page.</p>
<div class="actions"><a class="button primary" href="/register">Create account</a><a class="button" href="/login">Sign in</a></div></section>
<section><h2 class="rule">You have an account</h2><p>Write here, or publish a Markdown file with the command line:</p><p><code>courant publish article.md</code></p>
<div class="actions"><a class="button" href="/desk/write">Write</a></div></section>
<section><h2 class="rule">You run this site</h2><p>Create an account, then make it an operator. Its desk leads you to the first article.</p><p><code>npm run admin -- make-operator you@example.org</code></p>
<div class="actions"><a class="button" href="/desk">Open the desk</a></div></section>
</div>`;

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
