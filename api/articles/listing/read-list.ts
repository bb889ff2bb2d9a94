/** Reads a page of public articles or of search results. Used by REST, MCP and the list pages. */
import {
  buildAuthorUrl,
  buildDescriptionUrl,
  buildDocumentUrl,
  buildMarkdownUrl,
} from '../../../article/discovery/addresses.ts';
import { buildArticleUrl } from '../../../article/identity/slug.ts';
import { cutSnippet } from '../../../article/search/snippet.ts';
import { findLastChange } from '../../../store/changes/last-change.ts';
import type { Database } from '../../../store/db/database.ts';
import { findListedAuthor } from '../../../store/lists/find-list.ts';
import type { ArticleCard } from '../../../store/search/article-card.ts';
import { type CardFilter, type ListReader, listCards } from '../../../store/search/list-cards.ts';
import { searchArticles } from '../../../store/search/search-articles.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { readListCursor, readSearchCursor, writeListCursor } from './cursors.ts';
import type { ListQuery } from './list-query.ts';
import type { ArticleEntry } from './schemas.ts';

export interface ListDeps {
  db: Database;
  baseUrl: string;
  now: () => Date;
}

export interface ListPage {
  data: ArticleEntry[];
  /** Cursor for `after`; null on the last page. */
  next: string | null;
  /** Last change of the list, removals included. Null for searches and unchanged lists. */
  lastModified: Date | null;
}

export async function readList(deps: ListDeps, query: ListQuery, reader: ListReader = 'program'): Promise<ListPage> {
  const author = query.author === null ? null : await findListedAuthor(deps.db, query.author);
  if (author === undefined || query.terms?.length === 0) return EMPTY_PAGE;
  const filter = { tag: query.tag, authorId: author?.id ?? null };
  return query.terms === null
    ? readNewest(deps, query, { ...filter, reader })
    : readSearchResults(deps, query, filter, query.terms);
}

const EMPTY_PAGE: ListPage = { data: [], next: null, lastModified: null };

async function readNewest(
  { db, baseUrl }: ListDeps,
  query: ListQuery,
  { reader, ...filter }: CardFilter & { reader: ListReader },
): Promise<ListPage> {
  const after = query.after === null ? null : readListCursor(query, query.after);
  // Read before the cards: a change in between can make the date too old, never too new.
  const lastModified = await findLastChange(db, filter.authorId);
  // One extra card shows whether there is another page.
  const cards = await listCards(db, filter, { after, limit: query.first + 1, reader });
  const shown = cards.slice(0, query.first);
  const last = cards.length > query.first ? shown.at(-1) : undefined;
  return {
    data: shown.map((card) => toEntry(card, baseUrl)),
    next: last ? writeListCursor(query, { publishedAt: last.publishedMicros, id: last.id }) : null,
    lastModified,
  };
}

async function readSearchResults(
  { db, baseUrl, now }: ListDeps,
  query: ListQuery,
  filter: CardFilter,
  terms: NonNullable<ListQuery['terms']>,
): Promise<ListPage> {
  const after = query.after === null ? null : readSearchCursor(query, query.after);
  const found = await searchArticles(db, { ...filter, terms, after, limit: query.first + 1, now: now() }).catch(
    explainDelay,
  );
  const shown = found.slice(0, query.first);
  const last = found.length > query.first ? shown.at(-1) : undefined;
  return {
    data: shown.map((card) => ({
      ...toEntry(card, baseUrl),
      snippet: cutSnippet(card.text, terms).map(({ text, isMatch }) => ({ text, match: isMatch })),
    })),
    next: last ? writeListCursor(query, last.position) : null,
    lastModified: null,
  };
}

/** Maps PostgreSQL's statement timeout (57014) to a 503, because the database is reachable. */
function explainDelay(error: unknown): never {
  if ((error as { code?: string }).code !== '57014') throw error;
  const detail =
    'The search took too long and was cancelled. Try again in a moment, or use words that fewer articles contain.';
  throw new ProblemError(503, 'search_too_slow', detail, { headers: { 'retry-after': '5' } });
}

export function toEntry(card: ArticleCard, baseUrl: string): ArticleEntry {
  const url = buildArticleUrl(baseUrl, card.slug);
  const series =
    card.seriesId === null || card.seriesTitle === null
      ? null
      : { id: card.seriesId, title: card.seriesTitle, part: card.seriesPart };
  return {
    slug: card.slug,
    title: card.title,
    subtitle: card.subtitle,
    excerpt: card.excerpt,
    url,
    canonicalUrl: card.givenCanonicalUrl ?? url,
    author: {
      name: card.authorName,
      username: card.authorUsername,
      url: buildAuthorUrl(baseUrl, card.authorUsername),
    },
    tags: card.tags,
    series,
    language: card.language,
    readingTimeMinutes: card.readingTimeMinutes,
    coverImage: card.coverImage,
    publishedAt: card.publishedAt.toISOString(),
    updatedAt: card.updatedAt.toISOString(),
    links: {
      markdown: buildMarkdownUrl(baseUrl, card.slug),
      document: buildDocumentUrl(baseUrl, card.slug),
      description: buildDescriptionUrl(baseUrl, card.slug),
    },
  };
}
