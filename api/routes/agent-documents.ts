/** What an agent reads instead of the page: `GET /api/geo/posts/{slug}` (2.5, 4.2) and its `/description` (2.6). */
import { createHash } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { agentDocument } from '../../article/agent-document.ts';
import { describeArticle } from '../../article/description.ts';
import type { StoredArticle } from '../../article/stored.ts';
import { findArticleBySlug, findRedirect } from '../../store/articles/find-for-readers.ts';
import type { ApiDeps } from '../deps.ts';
import { ProblemError, problemResponse } from '../problem.ts';
import { storedArticle } from '../stored-article.ts';
import { AgentDocumentSchema, DescriptionSchema } from './agent-schemas.ts';
import { wasWithdrawn } from './withdrawn.ts';

export async function agentDocumentRoutes(fastify: FastifyInstance, { db, config }: ApiDeps) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  const { baseUrl } = config;

  serve('/api/geo/posts/:slug', 'An article for agents', AgentDocumentSchema, agentDocument);
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
    documentOf: (article: StoredArticle) => unknown,
  ): void {
    app.get(
      path,
      {
        schema: {
          summary,
          description: 'Published canonical articles only. ETag and Last-Modified are honoured.',
          params: Type.Object({ slug: Type.String() }),
          response: {
            200: schema,
            404: problemResponse('No such article.'),
            410: problemResponse('The article was withdrawn.'),
          },
        },
      },
      async (request, reply) => {
        const { slug } = request.params;
        const row = await findArticleBySlug(db, slug);
        if (row && wasWithdrawn(row))
          throw new ProblemError(410, 'withdrawn', 'Its author has taken this article back.');
        if (row?.status !== 'PUBLISHED' || !row.oldestCanonical) {
          const moved = row ? undefined : await findRedirect(db, slug);
          if (moved) return reply.redirect(path.replace(':slug', encodeURIComponent(moved.slug)), 301);
          throw new ProblemError(404, 'not_found', 'There is no published canonical article with this slug.');
        }
        const document = documentOf(storedArticle(row, baseUrl));
        if (isFresh(request, reply, document, row.updatedAt)) return (reply as FastifyReply).code(304).send();
        return reply.send(document);
      },
    );
  }
}

/** Sets the validators; true where the client has this very document (RFC 9110, 13.2.2: If-None-Match decides alone). */
function isFresh(request: FastifyRequest, reply: FastifyReply, document: unknown, updatedAt: Date): boolean {
  const etag = `"${createHash('sha256').update(JSON.stringify(document)).digest('base64url').slice(0, 27)}"`;
  reply.header('etag', etag).header('last-modified', updatedAt.toUTCString());
  reply.header('cache-control', 'public, max-age=0, must-revalidate');
  const match = request.headers['if-none-match'];
  if (match !== undefined) {
    return match.split(',').some((candidate) => ['*', etag].includes(candidate.trim().replace(/^W\//, '')));
  }
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return !Number.isNaN(since) && Math.floor(updatedAt.getTime() / 1000) * 1000 <= since;
}
