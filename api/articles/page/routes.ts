/** Serves the page of an article and its Markdown alternate. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { buildArticleUrl } from '../../../article/identity/slug.ts';
import type { ApiDeps } from '../../deps.ts';
import type { PublicResponder } from '../../http-cache/public-responder.ts';
import type { PermanentRedirect, PublicResponse } from '../../http-cache/public-response.ts';
import { buildPageResponse } from '../../web/page-response.ts';
import {
  addRelationHeaders,
  buildAbsentResponse,
  createRepresentations,
  parseFormName,
  type Representation,
  sendPageForm,
} from '../alternates/alternates.ts';
import { listArticleLinks } from '../alternates/links.ts';
import { buildArticleMarkdownResponse } from '../alternates/markdown-alternates.ts';
import { findArticle } from './find-article.ts';
import { loadArticleSurroundings } from './load-surroundings.ts';
import { renderArticlePage } from './page.ts';

export async function articlePageRoutes(fastify: FastifyInstance, deps: ApiDeps & { responder: PublicResponder }) {
  const { config, responder } = deps;
  const { baseUrl } = config;
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  app.get('/:slug', { schema: { hide: true, params: Type.Object({ slug: Type.String() }) } }, (request, reply) => {
    const { name, isMarkdown } = parseFormName(request.params.slug, request);
    const representations = createRepresentations((representation) => buildResponse(name, representation));
    return sendPageForm(
      responder,
      { request, reply, isMarkdown },
      { path: `/${encodeURIComponent(name)}`, ...representations },
    );
  });

  async function buildResponse(
    slug: string,
    representation: Representation,
  ): Promise<PublicResponse | PermanentRedirect> {
    const found = await findArticle(deps, slug, { whenUnderived: 'show' });
    switch (found.kind) {
      case 'article': {
        if (representation === 'markdown')
          return (await buildArticleMarkdownResponse(deps, found)) ?? buildAbsentResponse(representation, 410);
        const { article, articleId: id, profile, generateToc, comments } = found;
        // Related articles, copies and comments change independently of the article, so the page is
        // dated by when it is rendered.
        const lastModified = found.lastModified && deps.now();
        const { slug, tags, author } = article;
        const subject = { id, slug, tags, authorUsername: author.username, ...comments };
        const { around, cacheTags } = await loadArticleSurroundings(deps.db, subject);
        const body = renderArticlePage(article, { ...around, author: profile }, { baseUrl, generateToc });
        const response = buildPageResponse(body, { lastModified, cacheTags });
        return addRelationHeaders(response, listArticleLinks(article, baseUrl), article.contentSignal);
      }
      case 'moved':
        return {
          status: 301,
          location: buildArticleUrl(baseUrl, found.slug),
          cacheTags: [`article:${found.articleId}`],
        };
      case 'withdrawn':
        return buildAbsentResponse(representation, 410);
      case 'nothing':
        return buildAbsentResponse(representation);
    }
  }
}
