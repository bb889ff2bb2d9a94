/** The pages for readers: the front page, an author's page and the page of an article. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import { listRecentArticles } from '../../store/articles/find-for-readers.ts';
import { findAuthor } from '../../store/users/find-user.ts';
import type { ApiDeps } from '../deps.ts';
import { renderArticlePage } from '../pages/article-page.ts';
import { renderListPage } from '../pages/list-page.ts';
import { renderGonePage, renderNotFoundPage } from '../pages/not-found-page.ts';
import { sendArticlePage, sendPage } from '../pages/send-page.ts';
import { findArticle } from '../reading/find-article.ts';

const LIST_LENGTH = 30;

export async function pageRoutes(fastify: FastifyInstance, deps: ApiDeps) {
  const { db, config } = deps;
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  app.get('/', { schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply, 200, renderListPage('Latest', await listRecentArticles(db, LIST_LENGTH))),
  );

  app.get(
    '/authors/:username',
    { schema: { hide: true, params: Type.Object({ username: Type.String() }) } },
    async (request, reply) => {
      const { username } = request.params;
      const author = await findAuthor(db, username);
      if (!author) return sendPage(reply, 404, renderNotFoundPage());
      return sendPage(reply, 200, renderListPage(author.name, await listRecentArticles(db, LIST_LENGTH, author.id)));
    },
  );

  app.get(
    '/:slug',
    { schema: { hide: true, params: Type.Object({ slug: Type.String() }) } },
    async (request, reply) => {
      const { baseUrl } = config;
      const found = await findArticle(deps, request.params.slug);
      switch (found.kind) {
        case 'article':
          return sendArticlePage(reply, renderArticlePage(found.article, { baseUrl, generateToc: found.generateToc }));
        case 'withdrawn':
          return sendPage(reply, 410, renderGonePage());
        case 'moved':
          return reply.redirect(buildArticleUrl(baseUrl, found.slug), 301);
        case 'nothing':
          return sendPage(reply, 404, renderNotFoundPage());
      }
    },
  );
}
