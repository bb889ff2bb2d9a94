/** What readers get: the front page, an author's page and the page of an article. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { buildArticleUrl } from '../../article/slug.ts';
import {
  type ArticlePage,
  findArticleBySlug,
  findRedirect,
  listRecentArticles,
} from '../../store/articles/find-for-readers.ts';
import { findAuthor } from '../../store/users/find-user.ts';
import type { ApiDeps } from '../deps.ts';
import { articlePage } from '../pages/article-page.ts';
import { listPage } from '../pages/list-page.ts';
import { gonePage, notFoundPage } from '../pages/not-found-page.ts';
import { storedArticle } from '../stored-article.ts';
import { sendPage } from './send-page.ts';
import { wasWithdrawn } from './withdrawn.ts';

const LIST_LENGTH = 30;

export async function pageRoutes(fastify: FastifyInstance, { db, config }: ApiDeps) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  app.get('/', { schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply, 200, listPage('Latest', await listRecentArticles(db, LIST_LENGTH))),
  );

  app.get(
    '/authors/:username',
    { schema: { hide: true, params: Type.Object({ username: Type.String() }) } },
    async (request, reply) => {
      const { username } = request.params;
      const author = await findAuthor(db, username);
      if (!author) return sendPage(reply, 404, notFoundPage());
      return sendPage(reply, 200, listPage(author.name, await listRecentArticles(db, LIST_LENGTH, author.id)));
    },
  );

  app.get(
    '/:slug',
    { schema: { hide: true, params: Type.Object({ slug: Type.String() }) } },
    async (request, reply) => {
      const { slug } = request.params;
      const article = await findArticleBySlug(db, slug);
      if (article?.status === 'PUBLISHED') return sendArticle(reply, article, config.baseUrl);
      if (article && wasWithdrawn(article)) return sendPage(reply, 410, gonePage());
      const moved = article ? undefined : await findRedirect(db, slug);
      if (moved) return reply.redirect(buildArticleUrl(config.baseUrl, moved.slug), 301);
      return sendPage(reply, 404, notFoundPage());
    },
  );
}

function sendArticle(reply: FastifyReply, row: ArticlePage, baseUrl: string) {
  return sendPage(reply, 200, articlePage(storedArticle(row, baseUrl), { baseUrl, generateToc: row.generateToc }));
}
