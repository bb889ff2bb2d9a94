/** Serves an article's page at the desk, and the confirmation of its deletion. */

import type { FastifyInstance } from 'fastify';
import type { DeskDeps } from '../../deps.ts';
import { createNotFoundError, requireOwnArticle } from '../../web/desk/own-article.ts';
import { sendDeskPage } from '../../web/desk/send-desk-page.ts';
import { findKnownZone } from '../../web/desk/time-zone.ts';
import { getViewer } from '../../web/viewer.ts';
import { listLiveOrUncertainCopies } from '../article-commands.ts';
import { renderDeletePage } from './delete-page.ts';
import { loadArticle } from './load-article.ts';
import { renderArticleActions, renderDeskArticlePage } from './page.ts';

type OfArticle = { Params: { id: string } };

export async function articleRoutes(app: FastifyInstance, deps: DeskDeps) {
  app.get<OfArticle>('/desk/articles/:id', async (request, reply) => {
    const article = await requireOwnArticle(deps.db, request, request.params.id);
    const author = { authorId: getViewer(request).userId, zone: findKnownZone(request) };
    const view = await loadArticle(deps, author, article);
    const page = { title: article.title, current: 'articles', actions: renderArticleActions(article) } as const;
    return sendDeskPage(request, reply, page, renderDeskArticlePage(view));
  });

  app.get<OfArticle>('/desk/articles/:id/delete', async (request, reply) => {
    const article = await requireOwnArticle(deps.db, request, request.params.id);
    if (article.deletedAt !== null) throw createNotFoundError();
    const name = { authorId: getViewer(request).userId, articleId: article.id };
    const copies = await listLiveOrUncertainCopies(deps, name);
    const page = { title: 'Delete this article?', current: 'articles' } as const;
    return sendDeskPage(request, reply, page, renderDeletePage(article, copies));
  });
}
