/** Builds the responses of Markdown alternates. `alternates.ts` decides when they are sent. */
import { formatContentSignal } from '../../../article/discovery/content-signal.ts';
import { escapeMarkdown } from '../../../article/discovery/escape-markdown.ts';
import { formatArticleAlternate } from '../../../article/discovery/markdown-alternate.ts';
import { TooComplexError } from '../../../article/errors.ts';
import { findPublicBody } from '../../../store/articles/find-body.ts';
import type { ApiDeps } from '../../deps.ts';
import { DocumentsBusyError } from '../../documents/pool.ts';
import { FOR_ANY_ORIGIN, MARKDOWN_TYPE, NOT_INDEXED } from '../../http-cache/headers.ts';
import type { PublicResponse } from '../../http-cache/public-response.ts';
import type { FoundArticle } from '../page/find-article.ts';
import { formatLinkHeader, type Link, listArticleLinks } from './links.ts';

/** The pool runs one job per owner, so agents occupy at most one thread. */
const OWNER = 'agents';

export type MarkdownDeps = Pick<ApiDeps, 'db' | 'documents' | 'config' | 'log'>;
type CacheFields = Pick<PublicResponse, 'lastModified' | 'cacheTags'>;

/** Returns undefined if the article was withdrawn meanwhile. */
export async function buildArticleMarkdownResponse(
  deps: MarkdownDeps,
  found: FoundArticle,
): Promise<PublicResponse | undefined> {
  const { config } = deps;
  const { article, articleId } = found;
  const written = await writeArticleBody(deps, found);
  if (written === undefined) return undefined;
  const body = formatArticleAlternate(article, { baseUrl: config.baseUrl, body: written.markdown });
  const lastModified = written.isComplete ? found.lastModified : null;
  const response = buildMarkdownResponse(body, listArticleLinks(article, config.baseUrl), {
    lastModified,
    cacheTags: [`article:${articleId}`],
  });
  return { ...response, headers: { ...response.headers, ...buildContentSignalHeader(article.contentSignal) } };
}

export function buildMarkdownResponse(body: string, links: readonly Link[], shown: CacheFields): PublicResponse {
  return {
    status: 200,
    type: MARKDOWN_TYPE,
    body,
    headers: { link: formatLinkHeader(links), ...FOR_ANY_ORIGIN },
    ...shown,
  };
}

export function buildMissingMarkdownResponse(status: 404 | 410): PublicResponse {
  const body =
    status === 404
      ? '# Not found\n\nThere is no article at this address.\n'
      : '# Withdrawn\n\nThis article is no longer published.\n';
  return { status, type: MARKDOWN_TYPE, body, lastModified: null, cacheTags: [] };
}

/** Excludes the alternate's address from search engines; its `Link` header names the page. */
export function addNoIndexHeader(response: PublicResponse): PublicResponse {
  return { ...response, headers: { ...response.headers, ...NOT_INDEXED } };
}

export function buildContentSignalHeader(signal: Parameters<typeof formatContentSignal>[0]): Record<string, string> {
  const value = formatContentSignal(signal);
  return value === '' ? {} : { 'content-signal': value };
}

/**
 * Converts a body to Markdown, or to plain text if that takes too long or the pool is full.
 * `isComplete` is false if a later request may succeed. Undefined if withdrawn meanwhile.
 */
export async function writeArticleBody(
  { db, documents, config, log }: MarkdownDeps,
  { article, articleId }: FoundArticle,
): Promise<{ markdown: string; isComplete: boolean } | undefined> {
  const body = await findPublicBody(db, articleId);
  if (body === undefined) return undefined;
  try {
    const { title } = article;
    return {
      markdown: await documents.writeMarkdown(OWNER, { body, title, siteOrigin: config.baseUrl }),
      isComplete: true,
    };
  } catch (error) {
    if (!(error instanceof TooComplexError) && !(error instanceof DocumentsBusyError)) throw error;
    log.warn({ err: error, articleId }, 'cannot convert an article to Markdown; sending it to agents as plain text');
    const paragraphs = article.derived.plainText.split(/\n{2,}/).map(escapeMarkdown);
    // A text that is too complex stays too complex. A full pool is temporary.
    return { markdown: paragraphs.join('\n\n'), isComplete: error instanceof TooComplexError };
  }
}
