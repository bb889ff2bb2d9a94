/** What an agent reads instead of the page: `GET /api/geo/posts/{slug}` and its `/description`. */
import { createHash } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { buildAgentDocument } from '../../article/discovery/agent-document.ts';
import { describeArticle } from '../../article/discovery/description.ts';
import type { StoredArticle } from '../../article/discovery/stored-article.ts';
import type { ApiDeps } from '../deps.ts';
import { buildProblemResponse, ProblemError } from '../errors/problem.ts';
import { findArticle } from '../reading/find-article.ts';
import { AgentDocumentSchema, DescriptionSchema } from './agent-schemas.ts';

export async function agentDocumentRoutes(fastify: FastifyInstance, deps: ApiDeps) {
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
          description: 'Published canonical articles only. ETag and Last-Modified are honoured.',
          params: Type.Object({ slug: Type.String() }),
          response: {
            200: schema,
            404: buildProblemResponse('No such article.'),
            410: buildProblemResponse('The article was withdrawn.'),
          },
        },
      },
      async (request, reply) => {
        const found = await findArticle(deps, request.params.slug);
        if (found.kind === 'withdrawn') {
          throw new ProblemError(410, 'withdrawn', 'Its author has taken this article back.');
        }
        if (found.kind === 'moved') {
          return reply.redirect(path.replace(':slug', encodeURIComponent(found.slug)), 301);
        }
        if (found.kind !== 'article' || !found.isOldestCanonical) {
          throw new ProblemError(404, 'not_found', 'There is no published canonical article with this slug.');
        }
        const document = buildDocument(found.article);
        const { lastModified } = found;
        if (lastModified === null) return reply.header('cache-control', 'no-store').send(document);
        const isCurrent = isFresh(request, reply, document, lastModified);
        if (isCurrent) return (reply as FastifyReply).code(304).send();
        return reply.send(document);
      },
    );
  }
}

/** Sets the validators; true where the client has this document (RFC 9110, 13.2.2: If-None-Match decides alone). */
function isFresh(request: FastifyRequest, reply: FastifyReply, document: unknown, lastModified: Date): boolean {
  const etag = `"${createHash('sha256').update(JSON.stringify(document)).digest('base64url').slice(0, 27)}"`;
  reply.header('etag', etag).header('last-modified', lastModified.toUTCString());
  reply.header('cache-control', 'public, max-age=0, must-revalidate');
  const match = request.headers['if-none-match'];
  if (match !== undefined) {
    return match.split(',').some((candidate) => ['*', etag].includes(candidate.trim().replace(/^W\//, '')));
  }
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return !Number.isNaN(since) && Math.floor(lastModified.getTime() / 1000) * 1000 <= since;
}
