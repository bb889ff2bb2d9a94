/** Renders the article list of an author, a tag, or a series with its parts in order. */
import { buildFeedUrl, FEED_FORMATS } from '../../../article/discovery/feeds/feed-formats.ts';
import { formatJsonLd, type JsonLd } from '../../../article/discovery/json-ld.ts';
import { nameFollowers, renderFollowForm, renderSubscribeForm } from '../../readers/engagement/follow-button.ts';
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
  kind: 'author' | 'tag' | 'series';
  /** Only for an author's list. */
  profile?: {
    name: string;
    username: string;
    bio: string | null;
    links: readonly string[];
    pictureUrl: string | null;
    articleCount: number;
    followerCount: number;
  };
  /** Path of the archive page with older articles. Null if there are none. */
  olderPath: string | null;
}

/** Renders the link relations and the structured data of a list. */
export function renderListHead(links: readonly Link[], markup?: JsonLd): Html {
  const script = markup && html`<script type="application/ld+json">${trustHtml(formatJsonLd(markup))}</script>`;
  return html`${renderLinks(links)}${script}`;
}

/** `head` holds the elements for this page's `<head>`. */
export function renderListPage({ list, entries, kind, profile, olderPath }: ListPage, head: Html): string {
  const { title, description, path } = list;
  const items = entries.map((entry) => html`<li>${renderTeaser(entry, { level: 2 })}</li>`);
  const teasers =
    kind === 'series' ? html`<ol class="teasers parts">${items}</ol>` : html`<ul class="teasers">${items}</ul>`;
  return renderPage(
    { title: `${title} · Courant`, description: profile?.bio || description, head, width: 'wide' },
    html`${profile ? renderProfile(profile) : html`<div class="list-head"><h1 dir="auto">${title}</h1><p class="lede" dir="auto">${description}</p></div>`}
<div class="single">${entries.length > 0 ? teasers : html`<p class="lede">Nothing is published yet.</p>`}
${olderPath === null ? null : html`<p><a href="${olderPath}">Older articles</a></p>`}
${renderFollow(path)}</div>`,
  );
}

function renderProfile({
  name,
  username,
  bio,
  links,
  pictureUrl,
  articleCount,
  followerCount,
}: NonNullable<ListPage['profile']>): Html {
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
