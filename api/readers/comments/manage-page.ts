/** Page on which the writer of a comment and the author of the article manage it. */
import type { ManagedComment } from '../../../store/comments/find-comment.ts';
import { type Html, html } from '../../web/html.ts';
import type { Notice } from '../../web/notice.ts';
import { buildCommentPath } from '../paths.ts';
import { renderReaderPage } from '../reader-pages.ts';
import { MAX_COMMENT_LENGTH } from './comment.ts';
import { renderCommentBody } from './list.ts';

/** `typed`: the text of a rejected edit. */
export function renderManageCommentPage(comment: ManagedComment, notice: Notice | null, typed: string | null): string {
  const { id, slug, articleTitle, isOwn, isArticleAuthor, acceptedAt, hiddenAt } = comment;
  const title = isOwn ? 'Your comment' : `Comment by ${comment.authorName ?? 'a closed account'}`;
  const states = [
    acceptedAt ? html`<span class="state good">Accepted answer</span> ` : html``,
    hiddenAt ? html`<span class="state warn">Hidden from readers</span> ` : html``,
  ];
  return renderReaderPage(
    title,
    { notice, back: { path: buildCommentPath(slug, id), text: 'Back to the comments' } },
    html`<p>On <a href="/${encodeURIComponent(slug)}" dir="auto">${articleTitle}</a> ${states}</p>
<div class="comment">${renderCommentBody(comment)}</div>
${isArticleAuthor ? renderModeration(comment) : null}
${isOwn ? renderEditForms(comment, typed) : null}`,
  );
}

/** For a comment that does not exist or that the viewer may not manage. */
export function renderNothingToManagePage(notice: Notice | null): string {
  return renderReaderPage(
    'Comment not found',
    { notice, back: { path: '/', text: 'Latest articles' } },
    html`<p>You have no such comment, on your own articles or elsewhere. It may have been deleted.</p>`,
  );
}

function renderModeration({ id, slug, acceptedAt, hiddenAt, commentsOpen }: ManagedComment): Html {
  return html`<h2 class="rule">As the author of the article</h2><div class="actions">${
    hiddenAt ? null : renderAction(id, acceptedAt ? 'unaccept' : 'accept')
  }${renderAction(id, hiddenAt ? 'unhide' : 'hide')}${renderLock(slug, commentsOpen)}</div>`;
}

const ACTIONS = {
  accept: 'Accept as the answer',
  unaccept: 'Remove accepted answer',
  hide: 'Hide from readers',
  unhide: 'Show again',
} as const;

function renderAction(id: string, action: keyof typeof ACTIONS): Html {
  return html`<form method="post" action="/comments/${id}/${action}"><button class="button">${ACTIONS[action]}</button></form>`;
}

export function renderLock(slug: string, isOpen: boolean): Html {
  const path = `/articles/${encodeURIComponent(slug)}/comments/${isOpen ? 'lock' : 'unlock'}`;
  return html`<form method="post" action="${path}"><button class="button">${isOpen ? 'Close comments' : 'Reopen comments'}</button></form>`;
}

function renderEditForms({ id, body, isQuestion, commentsOpen }: ManagedComment, typed: string | null): Html {
  const edit = html`<form class="comment-form" method="post" action="/comments/${id}/edit"><textarea name="body" aria-label="Your comment" required maxlength="${MAX_COMMENT_LENGTH}" dir="auto">
${typed ?? body}</textarea><div class="actions"><button class="button primary">Save</button><label class="small"><input type="checkbox" name="isQuestion" value="true"${isQuestion ? html` checked` : null}> This is a question</label></div></form>`;
  return html`<h2 class="rule">Edit</h2>
${commentsOpen ? edit : html`<p>Comments are closed, so you can no longer edit this one.</p>`}
<h2 class="rule">Delete</h2>
<form method="post" action="/comments/${id}/delete"><p>The text is deleted permanently. If the comment has replies, an empty entry remains.</p><button class="button danger">Delete this comment</button></form>`;
}
