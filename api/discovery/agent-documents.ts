/** Serves the documents for agents: `GET /api/geo/posts/{slug}` and its `/description`. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { buildAgentDocument } from '../../article/discovery/agent-document.ts';
import { describeArticle } from '../../article/discovery/description.ts';
import type { StoredArticle } from '../../article/discovery/stored-article.ts';
import { formatLinkHeader, listArticleLinks } from '../articles/alternates/links.ts';
import { buildContentSignalHeader } from '../articles/alternates/markdown-alternates.ts';
import { ABSENCE_RESPONSES, createAbsenceProblem } from '../articles/page/absence.ts';
import { findArticle } from '../articles/page/find-article.ts';
import type { ApiDeps } from '../deps.ts';
import { FOR_ANY_ORIGIN, JSON_TYPE, NOT_INDEXED } from '../http-cache/headers.ts';
import type { PublicResponder } from '../http-cache/public-responder.ts';
import type { PermanentRedirect, PublicResponse } from '../http-cache/public-response.ts';
import { AgentDocumentSchema, DescriptionSchema } from './agent-schemas.ts';

export async function agentDocumentRoutes(fastify: FastifyInstance, deps: ApiDeps & { responder: PublicResponder }) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();

  serve('/api/geo/posts/:slug', 'An article for agents', AgentDocumentSchema, buildAgentDocument);
  serve(
    '/api/geo/posts/:slug/description',
    'The structured description of an article',
    DescriptionSchema,
    describeArticle,
  );

  function serve(
    path: string,
    summary: string,
    schema: TSchema,
    buildDocument: (article: StoredArticle) => unknown,
  ): void {
    app.get(
      path,
      {
        schema: {
          summary,
          description: 'Published canonical articles only. ETag and Last-Modified are supported.',
          params: Type.Object({ slug: Type.String() }),
          response: {
            200: schema,
            ...ABSENCE_RESPONSES,
          },
        },
      },
      (request, reply) => {
        const { slug } = request.params;
        return deps.responder.send(request, reply, {
          key: path.replace(':slug', encodeURIComponent(slug)),
          make: () => buildResponse(slug),
        });
      },
    );

    async function buildResponse(slug: string): Promise<PublicResponse | PermanentRedirect> {
      const found = await findArticle(deps, slug);
      if (found.kind === 'moved') {
        const location = path.replace(':slug', encodeURIComponent(found.slug));
        return { status: 301, location, cacheTags: [`article:${found.articleId}`] };
      }
      if (found.kind !== 'article' || !found.isCanonical) throw createAbsenceProblem(found);
      const { article, articleId, lastModified } = found;
      const body = JSON.stringify(buildDocument(article));
      const headers = {
        link: formatLinkHeader(listArticleLinks(article, deps.config.baseUrl)),
        ...NOT_INDEXED,
        ...FOR_ANY_ORIGIN,
        ...buildContentSignalHeader(article.contentSignal),
      };
      return { status: 200, type: JSON_TYPE, body, headers, lastModified, cacheTags: [`article:${articleId}`] };
    }
  }
}
