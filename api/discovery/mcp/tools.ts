/** The tools of the MCP server, over the same lists and articles as REST. */
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { formatContentSignal } from '../../../article/discovery/content-signal.ts';
import { findCard } from '../../../store/lists/list-articles.ts';
import { writeArticleBody } from '../../articles/alternates/article-markdown.ts';
import { LIST_PARAMETERS, readListQuery } from '../../articles/listing/list-query.ts';
import { readList, toEntry, toEntryList } from '../../articles/listing/read-list.ts';
import { ArticleEntrySchema, ArticleListSchema } from '../../articles/listing/schemas.ts';
import type { LimitSearches } from '../../articles/listing/search-limit.ts';
import { type FindArticleDeps, type FoundArticle, findArticle } from '../../articles/page/find-article.ts';
import type { ApiDeps } from '../../deps.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { ChangesSchema, DEFAULT_LIMIT, readChanges } from '../changes.ts';
import { type Tool, UNTRUSTED } from './tool.ts';

const MAX_CHANGES = 500;
/** A former slug resolves to the current one directly, so two lookups are enough. */
const MAX_LOOKUPS = 2;

export type ToolDeps = ApiDeps & { limitSearches: LimitSearches };

/** `request`: its network is limited in searches. */
export function createTools(deps: ToolDeps, request: FastifyRequest): Tool[] {
  return [createSearchTool(deps, request), createArticleTool(deps), createChangesTool(deps)];
}

function createSearchTool({ db, config, now, limitSearches }: ToolDeps, request: FastifyRequest): Tool {
  const { q, ...filters } = LIST_PARAMETERS;
  return {
    name: 'search_articles',
    title: 'Search articles',
    description:
      'Searches the published articles of this site, best match first, or lists the newest if the query is omitted. ' +
      `Cite an article by its canonicalUrl. ${UNTRUSTED}`,
    input: Type.Object({ query: q, ...filters }, { additionalProperties: false }),
    output: ArticleListSchema,
    async call({ query: q, ...parameters }) {
      const texts = Object.entries({ q, ...parameters }).filter(([, value]) => value !== undefined);
      const query = readListQuery(Object.fromEntries(texts.map(([name, value]) => [name, String(value)])));
      const read = () => readList({ db, now }, query);
      const page = query.terms === null ? await read() : await limitSearches(request, read);
      return { structured: toEntryList(page, config.baseUrl) };
    },
  };
}

const ArticleSchema = Type.Object({
  article: ArticleEntrySchema,
  contentHash: Type.String({ description: 'sha256:<hex> over the plain text' }),
  headings: Type.Array(Type.Object({ level: Type.Integer(), text: Type.String() })),
  text: Type.String({ description: 'Markdown.' }),
  contentSignal: Type.Union([Type.String(), Type.Null()], {
    description: 'The permitted uses of the text, in the syntax of Content-Signal; null if none are stated.',
  }),
});
const SlugSchema = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The last part of the article’s address on this site.',
});

function createArticleTool(deps: FindArticleDeps): Tool {
  return {
    name: 'get_article',
    title: 'Read an article',
    description: `Returns a published article with its full text, by the slug from a search result or a link. ${UNTRUSTED}`,
    input: Type.Object({ slug: SlugSchema }, { additionalProperties: false }),
    output: ArticleSchema,
    async call({ slug }) {
      const found = await findBySlug(deps, String(slug));
      const { contentSignal, url } = found.article;
      if (contentSignal['ai-input'] === false) throw notForModels(url);
      const card = await findCard(deps.db, found.article.slug);
      const body = card && (await writeArticleBody(deps, found));
      if (!body) throw notFound();
      const article = toEntry(card, deps.config.baseUrl);
      const { contentHash, headings } = found.article.derived;
      const structured: Static<typeof ArticleSchema> = {
        article,
        contentHash,
        headings: headings.map(({ level, text }) => ({ level, text })),
        text: body.markdown,
        contentSignal: formatContentSignal(contentSignal) || null,
      };
      const { title, links } = article;
      const link = { uri: links.document, name: article.slug, title, mimeType: 'application/json' };
      return { structured, links: [link] };
    },
  };
}

function createChangesTool({ db, config }: ApiDeps): Tool {
  return {
    name: 'list_changes',
    title: 'List changes',
    description:
      'Lists the articles of this site that were added, changed or withdrawn, in order and without gaps. Store `next` and send it as `since` ' +
      'to get later changes. Do not cite withdrawn articles.',
    input: Type.Object(
      {
        since: Type.Optional(Type.String({ maxLength: 200, description: '`next` of an earlier response.' })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_CHANGES, default: DEFAULT_LIMIT })),
      },
      { additionalProperties: false },
    ),
    output: ChangesSchema,
    async call({ since, limit = DEFAULT_LIMIT }) {
      const query = { since: typeof since === 'string' ? since : undefined, limit: Number(limit) };
      return { structured: await readChanges({ db, baseUrl: config.baseUrl }, query) };
    },
  };
}

async function findBySlug(deps: FindArticleDeps, slug: string): Promise<FoundArticle> {
  let currentSlug = slug;
  for (let lookups = 0; lookups < MAX_LOOKUPS; lookups++) {
    const found = await findArticle(deps, currentSlug);
    if (found.kind === 'article') return found;
    if (found.kind === 'withdrawn') {
      throw new ProblemError(410, 'withdrawn', 'This article is no longer published. Do not cite it.');
    }
    if (found.kind === 'nothing') break;
    currentSlug = found.slug;
  }
  throw notFound();
}

/** Every client of this protocol is a model, so `ai-input=no` excludes all of them. */
function notForModels(url: string): ProblemError {
  const detail = `The author or the site does not allow models to read this article (ai-input=no). Name it and refer people to ${url}.`;
  return new ProblemError(403, 'not_for_models', detail);
}

function notFound(): ProblemError {
  const detail = 'No published article has this slug. Use a slug from search_articles.';
  return new ProblemError(404, 'not_found', detail);
}
