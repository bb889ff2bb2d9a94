/** Form that adds a comment to an article or replies to one. */

import { type Html, html } from '../../web/html.ts';
import { buildCommentsPath } from '../paths.ts';
import { MAX_COMMENT_LENGTH } from './comment.ts';

export interface CommentForm {
  slug: string;
  /** The comment to reply to. Null for a comment on the article. */
  parent: { id: string; name: string | null } | null;
  /** Text of a rejected attempt, otherwise empty. */
  body: string;
  isQuestion?: boolean;
}

export function renderCommentForm({ slug, parent, body, isQuestion = false }: CommentForm): Html {
  const label = parent === null ? 'Your comment' : `Your reply${parent.name === null ? '' : ` to ${parent.name}`}`;
  const text = parent === null ? 'Comment' : 'Reply';
  // HTML drops a line break directly after the tag, so the template adds one.
  return html`<form class="comment-form" method="post" action="${buildCommentsPath(slug)}" data-act="comment">${
    parent === null ? null : html`<input type="hidden" name="parentId" value="${parent.id}">`
  }<textarea name="body" aria-label="${label}" required maxlength="${MAX_COMMENT_LENGTH}" dir="auto"${
    parent === null ? html` placeholder="Write a comment. Markdown is supported."` : null
  }>
${body}</textarea><div class="actions"><button class="button${parent === null ? ' primary' : ''} compact">${text}</button>${
    parent === null
      ? html`<label class="small"><input type="checkbox" name="isQuestion" value="true"${isQuestion ? html` checked` : null}> This is a question</label>`
      : null
  }</div></form>`;
}
