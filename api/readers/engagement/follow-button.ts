/** Forms that follow an author and subscribe to the newsletter. */
import { type Html, html } from '../../web/html.ts';
import { buildAuthorPath } from '../paths.ts';

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
