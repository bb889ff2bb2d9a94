/** Renders the reaction buttons of an article with their counts. */
import type { ReactionKind } from '../../../store/db/types.ts';
import type { ReactionCount } from '../../../store/reactions/react.ts';
import { type Html, html } from '../../web/html.ts';
import { buildAuthorPath, buildReactionsPath } from '../paths.ts';

/** SVG paths, because not every system has an emoji font. */
const ICONS: Record<ReactionKind, { name: string; path: string }> = {
  like: { name: 'Like', path: 'M3 11h4v10H3zM7 11l4-8.5c1.7 0 3 1.3 3 3V10h6.5l-1.8 11H7z' },
  love: {
    name: 'Love',
    path: 'M12 20.5C5.5 15 2.5 12 2.5 8.3a4.8 4.8 0 0 1 9.5-1 4.8 4.8 0 0 1 9.5 1c0 3.7-3 6.7-9.5 12.2z',
  },
  insightful: { name: 'Insightful', path: 'M9 21.5h6M9 18h6v-2.5a6.8 6.8 0 1 0-6 0z' },
  celebrate: { name: 'Celebrate', path: 'M12 2.5l2.6 6.9 6.9 2.6-6.9 2.6-2.6 6.9-2.6-6.9-6.9-2.6 6.9-2.6z' },
};

/** Identical for all readers. A script marks the reactions of the viewer. */
export function renderReactions(slug: string, counts: readonly ReactionCount[]): Html {
  return html`<form class="reactions" id="reactions" method="post" action="${buildReactionsPath(slug)}" data-act="react" aria-label="Reactions">${counts.map(renderButton)}</form>`;
}

/** Two forms for the viewer: one removes given reactions, the other adds new ones. */
export function renderOwnReactions(slug: string, counts: readonly ReactionCount[]): Html {
  const forms = [
    { act: 'take', text: 'Your reactions. Press one to remove it.', of: counts.filter(({ isMine }) => isMine) },
    { act: 'give', text: 'Press one to add it.', of: counts.filter(({ isMine }) => !isMine) },
  ].filter(({ of }) => of.length > 0);
  return html`${forms.map(
    ({ act, text, of }) => html`<p>${text}</p>
<form class="reactions" method="post" action="${buildReactionsPath(slug)}"><input type="hidden" name="act" value="${act}">${of.map(renderButton)}</form>`,
  )}`;
}

function renderButton({ kind, count }: ReactionCount): Html {
  const { name, path } = ICONS[kind];
  return html`<button class="reaction" name="kind" value="${kind}"><svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="${path}"/></svg> ${name} <span class="count">${count}</span></button>`;
}

/** Cached pages render it as not followed. A script updates it for followers. */
export function renderFollowForm(username: string, { isFollowed = false } = {}): Html {
  return html`<form class="follow" method="post" action="${buildAuthorPath(username, isFollowed ? 'unfollow' : 'follow')}" data-act="follow"><button class="button compact">${isFollowed ? 'Unfollow' : 'Follow'}</button></form>`;
}

export function renderSubscribeForm(username: string, email = ''): Html {
  return html`<form class="subscribe" method="post" action="${buildAuthorPath(username, 'subscribe')}" data-act="subscribe"><input type="email" name="email" value="${email}" aria-label="Your e-mail address, for the newsletter" placeholder="you@example.org" autocomplete="email" required maxlength="254"><button class="button compact">Subscribe<span class="sr-only"> to the newsletter</span></button></form>`;
}

export function nameFollowers(count: number): string {
  return count === 1 ? '1 follower' : `${count.toLocaleString('en')} followers`;
}
