/** `GET /api/geo/posts/{slug}` (2.5, 4.2): the JSON document that an agent reads instead of the page. */
import { createHash } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ArticlePage, articleUrl, findArticleBySlug, findRedirect } from '../../store/articles.ts';
import type { ApiDeps } from '../deps.ts';
import { ProblemError, problemResponse } from '../problem.ts';
import { wasWithdrawn } from './withdrawn.ts';

const AgentDocumentSchema = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  canonicalUrl: Type.String({ format: 'uri' }),
  author: Type.Object({ name: Type.String(), username: Type.String(), isTrustedAuthor: Type.Boolean() }),
  publishedAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
  topicSignals: Type.Array(Type.String()),
  headings: Type.Array(Type.Object({ level: Type.Integer(), text: Type.String() })),
  outboundReferences: Type.Array(Type.String({ format: 'uri' })),
  contentHash: Type.String({ description: 'sha256:<hex> over the plain text' }),
  plainTextContent: Type.String(),
});

export async function agentDocumentRoutes(fastify: FastifyInstance, { db, config }: ApiDeps) {
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  app.get(
    '/api/geo/posts/:slug',
    {
      schema: {
        summary: 'An article for agents',
        description: 'Published canonical articles only. ETag and Last-Modified are honoured.',
        params: Type.Object({ slug: Type.String({ maxLength: 200 }) }),
        response: {
          200: AgentDocumentSchema,
          304: Type.Null({ description: 'Not modified.' }),
          404: problemResponse('No such article.'),
          410: problemResponse('The article was withdrawn.'),
        },
      },
    },
    async (request, reply) => {
      const { slug } = request.params;
      const article = await findArticleBySlug(db, slug);
      if (article && wasWithdrawn(article))
        throw new ProblemError(410, 'withdrawn', 'Its author has taken this article back.');
      if (article?.status !== 'PUBLISHED' || !article.oldestCanonical) {
        const moved = article ? undefined : await findRedirect(db, slug);
        if (moved) return reply.redirect(`/api/geo/posts/${encodeURIComponent(moved.slug)}`, 301);
        throw new ProblemError(404, 'not_found', 'There is no published canonical article with this slug.');
      }
      const etag = etagOf(article);
      reply.header('etag', etag).header('last-modified', article.updatedAt.toUTCString());
      reply.header('cache-control', 'public, max-age=0, must-revalidate');
      if (isFresh(request.headers, etag, article.updatedAt)) return reply.code(304).send(null);
      return documentOf(article, config.baseUrl);
    },
  );
}

function documentOf(article: ArticlePage, baseUrl: string) {
  const { derived } = article;
  return {
    slug: article.slug,
    title: article.title,
    canonicalUrl: article.givenCanonicalUrl ?? articleUrl(baseUrl, article.slug),
    author: { name: article.authorName, username: article.authorUsername, isTrustedAuthor: article.authorTrusted },
    publishedAt: (article.publishedAt ?? article.updatedAt).toISOString(),
    updatedAt: article.updatedAt.toISOString(),
    topicSignals: derived.topicSignals,
    headings: derived.headings.map(({ level, text }) => ({ level, text })),
    outboundReferences: derived.outboundReferences,
    contentHash: derived.contentHash,
    plainTextContent: derived.plainText,
  };
}

/** Of the content and of what else the document shows: a changed title is a changed document. */
function etagOf(article: ArticlePage): string {
  const shown = [
    article.derived.contentHash,
    article.title,
    article.givenCanonicalUrl,
    article.updatedAt,
    article.authorName,
  ];
  return `"${createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 27)}"`;
}

/** RFC 9110, 13.2.2: If-None-Match, where present, decides alone. */
function isFresh(
  headers: { 'if-none-match'?: string | undefined; 'if-modified-since'?: string | undefined },
  etag: string,
  updatedAt: Date,
): boolean {
  const match = headers['if-none-match'];
  if (match !== undefined) {
    return match.split(',').some((candidate) => ['*', etag].includes(candidate.trim().replace(/^W\//, '')));
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return !Number.isNaN(since) && Math.floor(updatedAt.getTime() / 1000) * 1000 <= since;
}
