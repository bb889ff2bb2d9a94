/** Routes of the comments beyond the article's page, and of forms that add and close comments. */
import type { FastifyInstance } from 'fastify';
import { seekPublicArticle } from '../../../store/articles/find-public.ts';
import { findCommentPosition } from '../../../store/comments/find-comment.ts';
import { lockComments, unlockComments } from '../../../store/comments/moderate.ts';
import type { ReaderDeps } from '../../deps.ts';
import { NOT_INDEXED } from '../../http-cache/public-response.ts';
import { readField } from '../../web/forms.ts';
import { renderNotFoundPage } from '../../web/not-found-page.ts';
import { sendPage } from '../../web/send-page.ts';
import { buildArticlePath, buildArticleViewerPath, buildCommentPath, buildCommentsPath } from '../paths.ts';
import { respondToViewer } from '../respond-to-reader.ts';
import { writeComment } from './comment.ts';
import { findDiscussion, renderCommentForm, renderCommentsPage } from './discussion.ts';

interface OfArticle {
  Params: { slug: string };
  Querystring: { after?: unknown; at?: unknown };
}

const PATH = '/articles/:slug/comments';
/**
 * The longest comment takes 90 KB percent-encoded. A slightly longer one is still read, so that the
 * error page contains its text.
 */
export const MAX_COMMENT_FORM_BYTES = 128 * 1024;

export async function commentForms(app: FastifyInstance, deps: ReaderDeps) {
  const { db } = deps;

  app.get<OfArticle>(PATH, async (request, reply) => {
    const { slug } = request.params;
    const { after, at } = request.query;
    const position = typeof at === 'string' ? await findCommentPosition(db, at) : undefined;
    if (typeof at === 'string' && position?.slug !== slug) {
      const path = position ? buildCommentPath(position.slug, at) : buildArticlePath(slug, '#comments');
      return reply.redirect(path, 303);
    }
    const article = await seekPublicArticle(db, slug);
    if (article && article.slug !== slug) return reply.redirect(buildCommentsPath(article.slug), 303);
    const discussion = article && (await findDiscussion(db, article, position?.before ?? readPosition(after)));
    if (!article || !discussion) return sendPage(reply, 404, renderNotFoundPage());
    // Not cached: there are as many page URLs as comments (`?at=`), and each is requested rarely.
    const headers = { 'cache-control': 'no-cache', ...NOT_INDEXED };
    return sendPage(reply, 200, renderCommentsPage(article.title, discussion), headers);
  });

  app.post<OfArticle>(PATH, { bodyLimit: MAX_COMMENT_FORM_BYTES }, async (request, reply) => {
    const { slug } = request.params;
    const body = readField(request, 'body');
    const parentField = readField(request, 'parentId');
    const parentId = parentField === '' ? null : parentField;
    const isQuestion = readField(request, 'isQuestion') === 'true' || undefined;
    const parent = parentId === null ? null : { id: parentId, name: null };
    const action = {
      title: parent ? 'reply' : 'comment',
      back: { path: buildArticlePath(slug, '#comments'), text: 'Back to the comments' },
      filledForm: renderCommentForm({ slug, parent, body, isQuestion: isQuestion ?? false }),
    };
    return respondToViewer(deps, { request, reply }, action, async ({ userId }) => {
      const { id } = await writeComment(deps, { userId, slug, parentId, body, isQuestion });
      return { path: await findPath(slug, id), notice: null };
    });
  });

  for (const [operation, notice] of [
    ['lock', 'Comments closed. Existing comments stay.'],
    ['unlock', 'Comments opened.'],
  ] as const) {
    app.post<OfArticle>(`${PATH}/${operation}`, async (request, reply) => {
      const { slug } = request.params;
      const back = { path: buildArticlePath(slug), text: 'Back to the article' };
      return respondToViewer(
        deps,
        { request, reply },
        { title: `${operation} the comments`, back },
        async ({ userId }) => {
          const target = { authorId: userId, slug };
          await (operation === 'lock' ? lockComments(db, { ...target, now: deps.now() }) : unlockComments(db, target));
          return { path: buildArticleViewerPath(slug), notice };
        },
      );
    });
  }

  /** Path of a comment: on the article's page if that page shows it. */
  async function findPath(slug: string, commentId: string): Promise<string> {
    const position = await findCommentPosition(db, commentId);
    return position && !position.isOnFirstPage
      ? buildCommentPath(position.slug, commentId)
      : buildArticlePath(position?.slug ?? slug, `#comment-${commentId}`);
  }
}

function readPosition(after: unknown): Buffer | null {
  return typeof after === 'string' && /^(?:[0-9a-f]{2}){1,400}$/.test(after) ? Buffer.from(after, 'hex') : null;
}
