/** Routes that manage an existing comment, for its writer and the author of the article. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptAnswer, unacceptAnswer } from '../../../store/comments/accept-answer.ts';
import { findManagedComment, type ManagedComment } from '../../../store/comments/find-comment.ts';
import { hideComment, unhideComment } from '../../../store/comments/moderate.ts';
import { deleteComment } from '../../../store/comments/own-comment.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import type { ReaderDeps } from '../../deps.ts';
import { readField } from '../../web/forms.ts';
import { type Html, html } from '../../web/html.ts';
import { consumeNotice, type Notice } from '../../web/notice.ts';
import { PRIVATE_HEADERS, sendPage } from '../../web/send-page.ts';
import { getViewer, requireViewer } from '../../web/viewer.ts';
import { buildCommentPath } from '../paths.ts';
import { renderReaderPage } from '../reader-pages.ts';
import { respondToViewer } from '../respond-to-reader.ts';
import { changeComment, MAX_COMMENT_LENGTH } from './comment.ts';
import { renderCommentBody } from './discussion.ts';
import { MAX_COMMENT_FORM_BYTES } from './routes.ts';

interface OfComment {
  Params: { id: string };
}

interface OfViewer {
  commentId: string;
  userId: string;
  /** The same user, as the author of the article. */
  authorId: string;
  request: FastifyRequest;
  now: Date;
}

export async function ownCommentForms(app: FastifyInstance, deps: ReaderDeps) {
  const { db, now } = deps;

  app.get<OfComment>('/comments/:id', { onRequest: requireViewer(deps) }, async (request, reply) => {
    const notice = consumeNotice(request, reply);
    const target = { commentId: request.params.id, viewerId: getViewer(request).userId };
    const comment = await findManagedComment(db, target);
    if (comment) return sendPage(reply, 200, renderManageCommentPage(comment, notice), PRIVATE_HEADERS);
    return sendPage(reply, notice?.kind === 'done' ? 200 : 404, renderNothingToManagePage(notice), PRIVATE_HEADERS);
  });

  const commentActions: Record<string, [run: (of: OfViewer) => Promise<unknown>, notice: string]> = {
    edit: [
      ({ request, ...of }) =>
        changeComment(deps, { ...of, body: readField(request, 'body'), isQuestion: readIsQuestion(request) }),
      'Comment saved.',
    ],
    delete: [(of) => deleteComment(db, of), 'Comment deleted.'],
    accept: [(of) => acceptAnswer(db, of), 'Marked as the accepted answer.'],
    unaccept: [(of) => unacceptAnswer(db, of), 'No longer the accepted answer.'],
    hide: [(of) => hideComment(db, of), 'Comment hidden. Only you and the person who wrote it can still see it.'],
    unhide: [(of) => unhideComment(db, of), 'Comment visible to readers again.'],
  };

  for (const [name, [run, notice]] of Object.entries(commentActions)) {
    const options = {
      ...(name === 'edit' && { bodyLimit: MAX_COMMENT_FORM_BYTES }),
      ...(name === 'delete' && { config: ALLOW_UNCONFIRMED }),
    };
    app.post<OfComment>(`/comments/:id/${name}`, options, (request, reply) => {
      const { id: commentId } = request.params;
      const path = `/comments/${encodeURIComponent(commentId)}`;
      const action = {
        title: 'manage the comment',
        back: { path, text: 'Back to the comment' },
        ...(name === 'edit' && {
          filledForm: renderEditForm(commentId, readField(request, 'body'), readIsQuestion(request)),
        }),
      };
      return respondToViewer(deps, { request, reply }, action, async ({ userId }) => {
        await run({ userId, authorId: userId, commentId, request, now: now() });
        return { path, notice };
      });
    });
  }
}

function readIsQuestion(request: FastifyRequest): boolean {
  return readField(request, 'isQuestion') === 'true';
}

function renderManageCommentPage(comment: ManagedComment, notice: Notice | null): string {
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
${isOwn ? renderEditForms(comment) : null}`,
  );
}

/** For a comment that does not exist or that the viewer may not manage. */
function renderNothingToManagePage(notice: Notice | null): string {
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

function renderEditForms({ id, body, isQuestion, commentsOpen }: ManagedComment): Html {
  return html`<h2 class="rule">Edit</h2>
${commentsOpen ? renderEditForm(id, body, isQuestion) : html`<p>Comments are closed, so you can no longer edit this one.</p>`}
<h2 class="rule">Delete</h2>
<form method="post" action="/comments/${id}/delete"><p>The text is deleted permanently. If the comment has replies, an empty entry remains.</p><button class="button danger">Delete this comment</button></form>`;
}

function renderEditForm(id: string, body: string, isQuestion: boolean): Html {
  return html`<form class="comment-form" method="post" action="/comments/${encodeURIComponent(id)}/edit"><textarea name="body" aria-label="Your comment" required maxlength="${MAX_COMMENT_LENGTH}" dir="auto">
${body}</textarea><div class="actions"><button class="button primary">Save</button><label class="small"><input type="checkbox" name="isQuestion" value="true"${isQuestion ? html` checked` : null}> This is a question</label></div></form>`;
}
