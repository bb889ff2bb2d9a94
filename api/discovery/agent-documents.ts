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
const describe = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, description });

const AgentDocumentSchema = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  canonicalUrl: describe(Address, 'The URL to cite.'),
  author: Type.Object({ name: Type.String(), username: Type.String(), isTrustedAuthor: Type.Boolean() }),
  publishedAt: Time,
  updatedAt: Time,
  topicSignals: describe(Texts, 'Tags, category and keywords: at most eight.'),
  headings: Type.Array(Type.Object({ level: Type.Integer(), text: Type.String() })),
  outboundReferences: describe(Type.Array(Address), 'Absolute URLs of the links to other sites, each once, in order.'),
  contentHash: Type.String({ description: 'sha256:<hex> over the plain text' }),
  plainTextContent: describe(Type.String(), 'The article as plain text: each block on its own line.'),
});

const DescriptionSchema = Type.Object({
  schemaVersion: Type.Literal('1.0'),
  type: describe(Type.String(), 'The first of `types`.'),
  types: describe(Texts, 'Names of schema.org, the most specific first: HowTo, TechArticle, BlogPosting, FAQPage.'),
  slug: Type.String(),
  url: Address,
  title: Type.String(),
  subtitle: describe(Type.String(), 'The author’s; without one, the excerpt.'),
  tldr: describe(
    Type.String(),
    'A section or paragraph headed TL;DR, else the excerpt: whole sentences, at most 300 characters.',
  ),
  keywords: describe(Texts, 'The tags, then the words with the highest weight: at most twelve.'),
  entities: describe(Texts, 'At most 12 names, then at most 8 identifiers from inline code, the most frequent first.'),
  keyTakeaways: describe(Texts, 'The items of a summary section, else the three sentences with the highest score.'),
  headings: describe(Texts, 'The texts of all headings, in order.'),
  outboundLinks: describe(Type.Array(Address), 'Absolute URLs of the links to other sites, each once, in order.'),
  contentText: describe(Type.String(), 'The article as plain text: each block on its own line.'),
  contentHash: describe(
    Type.String(),
    '`sha256:` and the digest of `contentText`. Formatting and frontmatter do not change it.',
  ),
  authorName: Type.String(),
  authorUrl: Address,
  authorSameAs: describe(Type.Array(Address), 'The author’s profiles at other sites.'),
  category: Type.Union([Type.String(), Type.Null()]),
  tags: Texts,
  audience: describe(
    Type.String(),
    'engineering leaders, beginners, experienced developers, developers or general readers.',
  ),
  tone: describe(Type.String(), 'instructional, announcement, reference, opinion, conversational or explanatory.'),
  readingTimeMinutes: describe(Type.Integer(), 'Words divided by 200, rounded up, at least 1.'),
  wordCount: describe(Type.Integer(), 'Words by the rules of Unicode.'),
  faqs: describe(
    Type.Union([Type.Array(Type.Object({ question: Type.String(), answer: Type.String() })), Type.Null()]),
    'The questions of a FAQ section; null without one.',
  ),
  primaryTopic: describe(Type.String(), 'The first tag; else the category, the first keyword or the title.'),
  publishedAt: Time,
  updatedAt: Time,
  canonicalUrl: Address,
});
