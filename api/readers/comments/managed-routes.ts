/** Routes that manage an existing comment, for its writer and the author of the article. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { acceptAnswer, unacceptAnswer } from '../../../store/comments/accept-answer.ts';
import { findManagedComment } from '../../../store/comments/find-comment.ts';
import { hideComment, unhideComment } from '../../../store/comments/moderate.ts';
import { deleteComment } from '../../../store/comments/own-comment.ts';
import { ALLOW_UNCONFIRMED } from '../../auth/confirmed-address.ts';
import { readField } from '../../web/forms.ts';
import { consumeNotice, type Notice, redirectWithNotice } from '../../web/notice.ts';
import { PRIVATE_HEADERS, sendPage } from '../../web/send-page.ts';
import { getViewer, requireViewer } from '../../web/viewer.ts';
import type { ReaderDeps } from '../deps.ts';
import { signInHere } from '../sign-in-here.ts';
import { changeComment } from './comment.ts';
import { renderManageCommentPage, renderNothingToManagePage } from './manage-page.ts';
import { MAX_COMMENT_FORM_BYTES } from './routes.ts';

interface OfComment {
  Params: { id: string };
}

type CommentAction = (of: { userId: string; commentId: string; request: FastifyRequest }) => Promise<string>;

export async function ownCommentForms(app: FastifyInstance, deps: ReaderDeps) {
  const { db, now } = deps;

  app.get<OfComment>('/comments/:id', { onRequest: requireViewer(deps) }, (request, reply) =>
    show(request, reply, { notice: consumeNotice(request, reply), status: 200, typed: null }),
  );

  const commentActions: Record<string, CommentAction> = {
    edit: async ({ userId, commentId, request }) => {
      const isQuestion = readField(request, 'isQuestion') === 'true';
      await changeComment(deps, { userId, commentId, body: readField(request, 'body'), isQuestion });
      return 'Comment saved.';
    },
    delete: async ({ userId, commentId }) => {
      await deleteComment(db, { userId, commentId, now: now() });
      return 'Comment deleted.';
    },
    accept: async ({ userId, commentId }) => {
      await acceptAnswer(db, { authorId: userId, commentId, now: now() });
      return 'Marked as the accepted answer.';
    },
    unaccept: async ({ userId, commentId }) => {
      await unacceptAnswer(db, { authorId: userId, commentId });
      return 'No longer the accepted answer.';
    },
    hide: async ({ userId, commentId }) => {
      await hideComment(db, { authorId: userId, commentId, now: now() });
      return 'Comment hidden. Only you and the person who wrote it can still see it.';
    },
    unhide: async ({ userId, commentId }) => {
      await unhideComment(db, { authorId: userId, commentId });
      return 'Comment visible to readers again.';
    },
  };

  for (const [name, run] of Object.entries(commentActions)) {
    const options = {
      ...(name === 'edit' && { bodyLimit: MAX_COMMENT_FORM_BYTES }),
      ...(name === 'delete' && { config: ALLOW_UNCONFIRMED }),
    };
    app.post<OfComment>(`/comments/:id/${name}`, { ...options }, async (request, reply) => {
      const { id: commentId } = request.params;
      const back = { path: `/comments/${encodeURIComponent(commentId)}`, text: 'Back to the comment' };
      // The session can end while the user types.
      const action = { title: 'manage the comment', back };
      if (request.viewer === null && !(await signInHere(deps, { request, reply }, action))) return reply;
      try {
        const text = await run({ userId: getViewer(request).userId, commentId, request });
        return redirectWithNotice(reply, back.path, { kind: 'done', text });
      } catch (error) {
        if (!(error instanceof RefusedCommandError)) throw error;
        const notice = { kind: 'refused', text: error.message } as const;
        return show(request, reply, {
          notice,
          status: 422,
          typed: name === 'edit' ? readField(request, 'body') : null,
        });
      }
    });
  }

  async function show(
    request: FastifyRequest<OfComment>,
    reply: FastifyReply,
    { notice, status, typed }: { notice: Notice | null; status: number; typed: string | null },
  ): Promise<FastifyReply> {
    const target = { commentId: request.params.id, viewerId: getViewer(request).userId };
    const comment = await findManagedComment(db, target);
    if (!comment)
      return sendPage(reply, notice?.kind === 'done' ? 200 : 404, renderNothingToManagePage(notice), PRIVATE_HEADERS);
    return sendPage(reply, status, renderManageCommentPage(comment, notice, typed), PRIVATE_HEADERS);
  }
}
