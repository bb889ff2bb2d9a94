/** What readers say about an article without words: counts that are buttons. */
import type { ReactionKind } from '../../../store/db/types.ts';
import type { ReactionCount } from '../../../store/reactions/react.ts';
import { type Html, html } from '../html.ts';
import { buildReactionsPath } from './paths.ts';

const SIGNS: Record<ReactionKind, { sign: string; name: string }> = {
  like: { sign: '👍', name: 'Like' },
  love: { sign: '❤️', name: 'Love' },
  insightful: { sign: '💡', name: 'Insightful' },
  celebrate: { sign: '🎉', name: 'Celebrate' },
};

/** The same for everybody: which are one's own, the script marks. */
export function renderReactions(slug: string, counts: readonly ReactionCount[]): Html {
  return html`<form class="reactions" id="reactions" method="post" action="${buildReactionsPath(slug)}" data-act="react" aria-label="Reactions">${counts.map(renderButton)}</form>`;
}

/** For the one who asks: theirs can be taken back. */
export function renderOwnReactions(slug: string, counts: readonly ReactionCount[]): Html {
  const forms = [
    { act: 'take', text: 'You gave these; press one to take it back.', of: counts.filter(({ isMine }) => isMine) },
    { act: 'give', text: 'You may give these.', of: counts.filter(({ isMine }) => !isMine) },
  ].filter(({ of }) => of.length > 0);
  return html`${forms.map(
    ({ act, text, of }) => html`<p>${text}</p>
<form class="reactions" method="post" action="${buildReactionsPath(slug)}"><input type="hidden" name="act" value="${act}">${of.map(renderButton)}</form>`,
  )}`;
}

function renderButton({ kind, count }: ReactionCount): Html {
  const { sign, name } = SIGNS[kind];
  return html`<button class="reaction" name="kind" value="${kind}"><span aria-hidden="true">${sign}</span> ${name} <span class="count">${count}</span></button>`;
}
