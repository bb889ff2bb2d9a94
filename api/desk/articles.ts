/** The desk's first page: the author's articles. */
import type { FastifyInstance } from 'fastify';
import { listOwnArticles } from '../../store/articles/own-articles.ts';
import { renderArticlesPage } from '../pages/desk/articles-page.ts';
import { sendDeskPage } from '../web/send-desk-page.ts';
import { getViewer } from '../web/viewer.ts';
import type { DeskDeps } from './deps.ts';

const PAGE_LENGTH = 50;

export async function articlesSection(app: FastifyInstance, { db }: DeskDeps) {
  app.get('/desk', { schema: { hide: true } }, async (request, reply) => {
    const articles = await listOwnArticles(db, getViewer(request).userId, {
      filter: {},
      limit: PAGE_LENGTH,
      after: null,
    });
    return sendDeskPage(request, reply, { title: 'Articles', current: 'articles' }, renderArticlesPage(articles));
  });
}
