/** The pages for readers: the front page, an author's page and the page of an article. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import { listRecentArticles } from '../../store/articles/find-for-readers.ts';
import { findLastChange } from '../../store/changes/last-change.ts';
import { findAuthor } from '../../store/users/find-user.ts';
import type { Answer, Redirect } from '../answers/answer.ts';
import type { Answers } from '../answers/answers.ts';
import type { ApiDeps } from '../deps.ts';
import { renderArticlePage } from '../pages/article-page.ts';
import { renderListPage } from '../pages/list-page.ts';
import { answerGone, answerNotFound, answerWithArticlePage, answerWithPage } from '../pages/page-answer.ts';
import { findArticle } from '../reading/find-article.ts';

const LIST_LENGTH = 30;

export async function pageRoutes(fastify: FastifyInstance, deps: ApiDeps & { answers: Answers }) {
  const { db, config, answers } = deps;
  const { baseUrl } = config;
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  app.get('/', { schema: { hide: true } }, (request, reply) =>
    answers.send(request, reply, { key: '/', make: makeFrontPage }),
  );

  app.get(
    '/authors/:username',
    { schema: { hide: true, params: Type.Object({ username: Type.String() }) } },
    (request, reply) => {
      const { username } = request.params;
      const key = `/authors/${encodeURIComponent(username)}`;
      return answers.send(request, reply, { key, make: () => makeAuthorPage(username) });
    },
  );

  app.get('/:slug', { schema: { hide: true, params: Type.Object({ slug: Type.String() }) } }, (request, reply) => {
    const { slug } = request.params;
    return answers.send(request, reply, { key: `/${encodeURIComponent(slug)}`, make: () => makeArticlePage(slug) });
  });

  async function makeFrontPage(): Promise<Answer> {
    const lastModified = await findLastChange(db);
    const entries = await listRecentArticles(db, LIST_LENGTH);
    return answerWithPage(renderListPage('Latest', entries), { lastModified, shows: ['articles'] });
  }

  async function makeAuthorPage(username: string): Promise<Answer> {
    const author = await findAuthor(db, username);
    if (!author) return answerNotFound();
    const lastModified = await findLastChange(db, author.id);
    const entries = await listRecentArticles(db, LIST_LENGTH, author.id);
    return answerWithPage(renderListPage(author.name, entries), { lastModified, shows: [`author:${author.id}`] });
  }

  async function makeArticlePage(slug: string): Promise<Answer | Redirect> {
    const found = await findArticle(deps, slug, { whenUnderived: 'show' });
    switch (found.kind) {
      case 'article': {
        const { article, articleId, generateToc, lastModified } = found;
        const body = renderArticlePage(article, { baseUrl, generateToc });
        return answerWithArticlePage(body, { lastModified, shows: [`article:${articleId}`] });
      }
      case 'moved':
        return {
          status: 301,
          location: buildArticleUrl(baseUrl, found.slug),
          shows: [`article:${found.articleId}`],
        };
      case 'withdrawn':
        return answerGone();
      case 'nothing':
        return answerNotFound();
    }
  }
}
