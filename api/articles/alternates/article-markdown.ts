/** Converts an article to Markdown for agents. */
import { escapeMarkdown } from '../../../article/discovery/escape-markdown.ts';
import { formatArticleAlternate } from '../../../article/discovery/markdown-alternate.ts';
import { TooComplexError } from '../../../article/errors.ts';
import { findPublicBody } from '../../../store/articles/find-for-readers.ts';
import { DocumentsBusyError } from '../../documents/pool.ts';
import type { PublicResponse } from '../../http-cache/public-response.ts';
import type { FindArticleDeps, FoundArticle } from '../page/find-article.ts';
import { buildFormResponse } from './alternates.ts';
import { listArticleLinks } from './links.ts';

/** The pool runs one job per owner, so agents occupy at most one thread. */
const OWNER = 'agents';

/** Returns undefined if the article was withdrawn meanwhile. */
export async function buildArticleMarkdownResponse(
  deps: FindArticleDeps,
  found: FoundArticle,
): Promise<PublicResponse | undefined> {
  const { baseUrl } = deps.config;
  const { article, articleId } = found;
  const written = await writeArticleBody(deps, found);
  return (
    written &&
    buildFormResponse('markdown', {
      body: formatArticleAlternate(article, { baseUrl, body: written.markdown }),
      links: listArticleLinks(article, baseUrl),
      signal: article.contentSignal,
      lastModified: written.isComplete ? found.lastModified : null,
      cacheTags: [`article:${articleId}`],
    })
  );
}

/**
 * Converts a body to Markdown, or to plain text if that takes too long or the pool is full.
 * `isComplete` is false if a later request may succeed. Undefined if withdrawn meanwhile.
 */
export async function writeArticleBody(
  { db, documents, config, log }: FindArticleDeps,
  { article, articleId }: FoundArticle,
): Promise<{ markdown: string; isComplete: boolean } | undefined> {
  const body = await findPublicBody(db, articleId);
  if (body === undefined) return undefined;
  try {
    const options = { title: article.title, siteOrigin: config.baseUrl };
    return { markdown: await documents.writeMarkdown(OWNER, body, options), isComplete: true };
  } catch (error) {
    if (!(error instanceof TooComplexError) && !(error instanceof DocumentsBusyError)) throw error;
    log.warn({ err: error, articleId }, 'cannot convert an article to Markdown; sending it to agents as plain text');
    const paragraphs = article.derived.plainText.split(/\n{2,}/).map(escapeMarkdown);
    // A text that is too complex stays too complex. A full pool is temporary.
    return { markdown: paragraphs.join('\n\n'), isComplete: error instanceof TooComplexError };
  }
}
