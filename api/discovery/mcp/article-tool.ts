/** `get_article`: returns an article with its full text. */
import { type Static, Type } from 'typebox';
import { formatContentSignal } from '../../../article/discovery/content-signal.ts';
import { findCard } from '../../../store/search/list-cards.ts';
import { writeArticleBody } from '../../articles/alternates/markdown-alternates.ts';
import { toEntry } from '../../articles/listing/read-list.ts';
import { ArticleEntrySchema } from '../../articles/listing/schemas.ts';
import { type FindArticleDeps, type FoundArticle, findArticle } from '../../articles/page/find-article.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { type Tool, UNTRUSTED } from './tool.ts';

const OutputSchema = Type.Object({
  article: ArticleEntrySchema,
  contentHash: Type.String({ description: 'sha256:<hex> over the plain text' }),
  headings: Type.Array(Type.Object({ level: Type.Integer(), text: Type.String() })),
  text: Type.String({ description: 'Markdown.' }),
  contentSignal: Type.Union([Type.String(), Type.Null()], {
    description: 'The permitted uses of the text, in the syntax of Content-Signal; null if none are stated.',
  }),
});

/** A former slug resolves to the current one directly, so two lookups are enough. */
const MAX_LOOKUPS = 2;

export function createArticleTool(deps: FindArticleDeps): Tool {
  return {
    name: 'get_article',
    title: 'Read an article',
    description: `Returns a published article with its full text, by the slug from a search result or a link. ${UNTRUSTED}`,
    input: Type.Object(
      {
        slug: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The last part of the article’s address on this site.',
        }),
      },
      { additionalProperties: false },
    ),
    output: OutputSchema,
    async call({ slug }) {
      const found = await findBySlug(deps, String(slug));
      const { contentSignal, url } = found.article;
      if (contentSignal['ai-input'] === false) throw notForModels(url);
      const card = await findCard(deps.db, found.article.slug);
      if (!card) throw notFound();
      const article = toEntry(card, deps.config.baseUrl);
      const markdownBody = await writeArticleBody(deps, found);
      if (!markdownBody) throw notFound();
      const { contentHash, headings } = found.article.derived;
      const structured: Static<typeof OutputSchema> = {
        article,
        contentHash,
        headings: headings.map(({ level, text }) => ({ level, text })),
        text: markdownBody.markdown,
        contentSignal: formatContentSignal(contentSignal) || null,
      };
      const { title, links } = article;
      return {
        structured,
        links: [{ uri: links.document, name: article.slug, title, mimeType: 'application/json' }],
      };
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
