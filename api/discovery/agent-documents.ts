/** Serves the documents for agents: `GET /api/geo/posts/{slug}` and its `/description`. */
import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { buildAgentDocument } from '../../article/discovery/agent-document.ts';
import { describeArticle } from '../../article/discovery/description.ts';
import type { StoredArticle } from '../../article/discovery/stored-article.ts';
import { buildContentSignalHeader } from '../articles/alternates/alternates.ts';
import { formatLinkHeader, listArticleLinks } from '../articles/alternates/links.ts';
import { ABSENCE_RESPONSES, createAbsenceProblem } from '../articles/page/absence.ts';
import { findArticle } from '../articles/page/find-article.ts';
import type { PublicDeps } from '../deps.ts';
import {
  FOR_ANY_ORIGIN,
  JSON_TYPE,
  NOT_INDEXED,
  type PermanentRedirect,
  type PublicResponse,
} from '../http-cache/public-response.ts';

export async function agentDocumentRoutes(app: FastifyInstance, deps: PublicDeps) {
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
    document: TSchema,
    buildDocument: (article: StoredArticle) => unknown,
  ): void {
    const schema = {
      summary,
      description: 'Published canonical articles only. ETag and Last-Modified are supported.',
      params: Type.Object({ slug: Type.String() }),
      response: { 200: document, ...ABSENCE_RESPONSES },
    };
    const buildPath = (slug: string) => path.replace(':slug', encodeURIComponent(slug));
    app.get<{ Params: { slug: string } }>(path, { schema }, (request, reply) => {
      const { slug } = request.params;
      return deps.responder.send(request, reply, { key: buildPath(slug), make: () => buildResponse(slug) });
    });

    async function buildResponse(slug: string): Promise<PublicResponse | PermanentRedirect> {
      const found = await findArticle(deps, slug);
      if (found.kind === 'moved')
        return { status: 301, location: buildPath(found.slug), cacheTags: [`article:${found.articleId}`] };
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

const Address = Type.String({ format: 'uri' });
const Time = Type.String({ format: 'date-time' });
const Texts = Type.Array(Type.String());

const AgentDocumentSchema = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  canonicalUrl: Address,
  author: Type.Object({ name: Type.String(), username: Type.String(), isTrustedAuthor: Type.Boolean() }),
  publishedAt: Time,
  updatedAt: Time,
  topicSignals: Texts,
  headings: Type.Array(Type.Object({ level: Type.Integer(), text: Type.String() })),
  outboundReferences: Type.Array(Address),
  contentHash: Type.String({ description: 'sha256:<hex> over the plain text' }),
  plainTextContent: Type.String(),
});

const DescriptionSchema = Type.Object({
  schemaVersion: Type.Literal('1.0'),
  type: Type.String(),
  types: Texts,
  slug: Type.String(),
  url: Address,
  title: Type.String(),
  subtitle: Type.String(),
  tldr: Type.String(),
  keywords: Texts,
  entities: Texts,
  keyTakeaways: Texts,
  headings: Texts,
  outboundLinks: Type.Array(Address),
  contentText: Type.String(),
  contentHash: Type.String(),
  authorName: Type.String(),
  authorUrl: Address,
  authorSameAs: Type.Array(Address),
  category: Type.Union([Type.String(), Type.Null()]),
  tags: Texts,
  audience: Type.String(),
  tone: Type.String(),
  readingTimeMinutes: Type.Integer(),
  wordCount: Type.Integer(),
  faqs: Type.Union([Type.Array(Type.Object({ question: Type.String(), answer: Type.String() })), Type.Null()]),
  primaryTopic: Type.String(),
  publishedAt: Time,
  updatedAt: Time,
  canonicalUrl: Address,
});
