/** Routes that change reactions and show those of the viewer. */
import type { FastifyInstance } from 'fastify';
import { seekPublicArticle } from '../../../store/articles/find-public.ts';
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { isOpen } from '../../../store/comments/open-comments.ts';
import { isFollowing } from '../../../store/follows/follow.ts';
import { countReactions, listOwnReactions, REACTION_KINDS, unreact } from '../../../store/reactions/react.ts';
import type { ReaderDeps } from '../../deps.ts';
import { acceptsJson, readField } from '../../web/forms.ts';
import { html } from '../../web/html.ts';
import { renderNotFoundPage } from '../../web/not-found-page.ts';
import { consumeNotice } from '../../web/notice.ts';
import { PRIVATE_HEADERS, sendPage } from '../../web/send-page.ts';
import { renderLock } from '../comments/managed-routes.ts';
import { addReaction } from '../limits.ts';
import { buildArticlePath, buildArticleViewerPath } from '../paths.ts';
import { renderReaderPage } from '../reader-pages.ts';
import { respondToViewer } from '../respond-to-reader.ts';
import { renderOwnReactions } from './buttons.ts';

interface OfArticle {
  Params: { slug: string };
}

const NO_REACTIONS = { reactions: [], isFollowed: false };

export async function reactionForms(app: FastifyInstance, deps: ReaderDeps) {
  const { db } = deps;

  app.post<OfArticle>('/articles/:slug/reactions', async (request, reply) => {
    const { slug } = request.params;
    const kindField = readField(request, 'kind');
    const isRemoval = readField(request, 'act') === 'take';
    const back = { path: buildArticlePath(slug), text: 'Back to the article' };
    return respondToViewer(deps, { request, reply }, { title: 'react', back }, async ({ userId }) => {
      const kind = REACTION_KINDS.find((candidate) => candidate === kindField);
      if (kind === undefined) throw new RefusedCommandError('BAD_INPUT', 'Unknown reaction.', 'kind');
      await (isRemoval ? unreact(db, { userId, slug, kind }) : addReaction(deps, { userId, slug, kind }));
      const notice = isRemoval ? 'Reaction removed.' : 'Reaction added.';
      return { path: buildArticleViewerPath(slug), notice };
    });
  });

  /** JSON for the script of the article's page; otherwise the page to which its forms redirect. */
  app.get<OfArticle>('/articles/:slug/viewer', async (request, reply) => {
    const userId = request.viewer?.userId ?? null;
    const isJson = acceptsJson(request);
    reply.headers(PRIVATE_HEADERS);
    if (userId === null && isJson) return reply.code(401).send(NO_REACTIONS);
    const article = await seekPublicArticle(db, request.params.slug);
    if (!article) return isJson ? reply.code(404).send(NO_REACTIONS) : sendPage(reply, 404, renderNotFoundPage());
    const { id: articleId, authorId } = article;
    if (userId !== null && isJson) {
      const [reactions, isFollowed] = await Promise.all([
        listOwnReactions(db, { articleId, userId }),
        isFollowing(db, { followerId: userId, authorId }),
      ]);
      return { reactions, isFollowed };
    }
    const reactions = await countReactions(db, { articleId, viewerId: userId });
    const { slug, title } = article;
    const lock = authorId === userId && html`<h2 class="rule">Comments</h2>${renderLock(slug, isOpen(article))}`;
    const body = html`<h2 class="rule">Reactions</h2>
${renderOwnReactions(slug, reactions)}
${lock}`;
    const back = { path: buildArticlePath(slug), text: 'Back to the article' };
    const page = renderReaderPage(title, { notice: consumeNotice(request, reply), back }, body);
    return sendPage(reply, 200, page, PRIVATE_HEADERS);
  });
}
