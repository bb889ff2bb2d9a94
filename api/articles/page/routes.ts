/** Serves the page of an article and its Markdown alternate. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { buildArticleUrl } from '../../../article/identity/slug.ts';
import type { ApiDeps } from '../../deps.ts';
import type { Answer, Redirect } from '../../http-cache/respond.ts';
import type { Answers } from '../../http-cache/response-cache.ts';
import { answerWithPage } from '../../web/page-response.ts';
import { answerAbsent, type Form, makeForms, sendForm, splitForm, withRelations } from '../alternates/alternates.ts';
import { listArticleLinks } from '../alternates/links.ts';
import { answerWithArticleTwin } from '../alternates/markdown-alternates.ts';
import { findAround } from './find-around.ts';
import { findArticle } from './find-article.ts';
import { renderArticlePage } from './page.ts';

export async function articlePageRoutes(fastify: FastifyInstance, deps: ApiDeps & { answers: Answers }) {
  const { config, answers } = deps;
  const { baseUrl } = config;
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  app.get('/:slug', { schema: { hide: true, params: Type.Object({ slug: Type.String() }) } }, (request, reply) => {
    const { name, isTwin } = splitForm(request.params.slug, request);
    const forms = makeForms((form) => makeArticlePage(name, form));
    return sendForm(answers, { request, reply, isTwin }, { path: `/${encodeURIComponent(name)}`, ...forms });
  });

  async function makeArticlePage(slug: string, form: Form): Promise<Answer | Redirect> {
    const found = await findArticle(deps, slug, { whenUnderived: 'show' });
    switch (found.kind) {
      case 'article': {
        if (form === 'markdown') return (await answerWithArticleTwin(deps, found)) ?? answerAbsent(form, 410);
        const { article, articleId: id, profile, generateToc, comments } = found;
        // Related articles, copies and comments change independently of the article, so the page is
        // dated by when it is rendered.
        const lastModified = found.lastModified && deps.now();
        const { slug, tags, author } = article;
        const shown = { id, slug, tags, authorUsername: author.username, ...comments };
        const { around, shows } = await findAround(deps.db, shown);
        const body = renderArticlePage(article, { ...around, author: profile }, { baseUrl, generateToc });
        const answer = answerWithPage(body, { lastModified, shows });
        return withRelations(answer, listArticleLinks(article, baseUrl), article.contentSignal);
      }
      case 'moved':
        return {
          status: 301,
          location: buildArticleUrl(baseUrl, found.slug),
          shows: [`article:${found.articleId}`],
        };
      case 'withdrawn':
        return answerAbsent(form, 410);
      case 'nothing':
        return answerAbsent(form);
    }
  }
}
