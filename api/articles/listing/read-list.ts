/** Reads a page of public articles or of search results. Used by REST, MCP and the list pages. */
import {
  buildAuthorUrl,
  buildDescriptionUrl,
  buildDocumentUrl,
  buildMarkdownUrl,
} from '../../../article/discovery/addresses.ts';
import { buildArticleUrl } from '../../../article/identity/slug.ts';
import { cutSnippet, type SnippetPart } from '../../../article/search/snippet.ts';
import { findLastChange } from '../../../store/changes/list-changes.ts';
import type { ListPosition } from '../../../store/lists/article-list.ts';
import { findListedAuthor } from '../../../store/lists/find-list.ts';
import { type ArticleCard, type CardFilter, type ListReader, listCards } from '../../../store/lists/list-articles.ts';
import { type SearchPosition, searchArticles } from '../../../store/search/search-articles.ts';
import type { ApiDeps } from '../../deps.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { isId, isMicros, nameList, readCursor, writeCursor } from '../../web/lists/cursor.ts';
import type { ListQuery } from './list-query.ts';
import type { ArticleEntry } from './schemas.ts';

type ListDeps = Pick<ApiDeps, 'db' | 'now'>;

export interface ListPage {
  cards: (ArticleCard & { snippet?: SnippetPart[] })[];
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

const EMPTY_PAGE: ListPage = { cards: [], next: null, lastModified: null };

async function readNewest(
  { db }: ListDeps,
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
    cards: shown,
    next: last ? writeListCursor(query, { publishedAt: last.publishedMicros, id: last.id }) : null,
    lastModified,
  };
}

async function readSearchResults(
  { db, now }: ListDeps,
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
    cards: shown.map((card) => ({ ...card, snippet: cutSnippet(card.text, terms) })),
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

/** Converts a page of a list to its form in REST and MCP. */
export function toEntryList({ cards, next }: ListPage, baseUrl: string) {
  const data = cards.map(({ snippet, ...card }) => ({
    ...toEntry(card, baseUrl),
    ...(snippet && { snippet: snippet.map(({ text, isMatch }) => ({ text, match: isMatch })) }),
  }));
  return { data, next };
}

export function toEntry(card: ArticleCard, baseUrl: string): ArticleEntry {
  const { slug, title, subtitle, excerpt, tags, language, readingTimeMinutes, coverImage } = card;
  const { authorName: name, authorUsername: username, seriesId, seriesTitle } = card;
  const url = buildArticleUrl(baseUrl, slug);
  const isInSeries = seriesId !== null && seriesTitle !== null;
  return {
    ...{ slug, title, subtitle, excerpt, url, tags, language, readingTimeMinutes, coverImage },
    canonicalUrl: card.givenCanonicalUrl ?? url,
    author: { name, username, url: buildAuthorUrl(baseUrl, username) },
    series: isInSeries ? { id: seriesId, title: seriesTitle, part: card.seriesPart } : null,
    publishedAt: card.publishedAt.toISOString(),
    updatedAt: card.updatedAt.toISOString(),
    links: {
      markdown: buildMarkdownUrl(baseUrl, slug),
      document: buildDocumentUrl(baseUrl, slug),
      description: buildDescriptionUrl(baseUrl, slug),
    },
  };
}

type ListFilter = Pick<ListQuery, 'q' | 'tag' | 'author'>;

export function writeListCursor(filter: ListFilter, position: ListPosition | SearchPosition): string {
  return writeCursor(nameFilter(filter), position);
}

export function readListCursor(filter: ListFilter, cursor: string): ListPosition {
  const { publishedAt, id } = readPosition(filter, cursor);
  if (!isMicros(publishedAt) || !isId(id)) throw refuse();
  return { publishedAt, id };
}

export function readSearchCursor(filter: ListFilter, cursor: string): SearchPosition {
  const { from, until, rank, id } = readPosition(filter, cursor);
  const isWindow = isMicros(until) && (from === null || isMicros(from));
  if (!isWindow || typeof rank !== 'number' || !Number.isFinite(rank) || !isId(id)) throw refuse();
  return { from, until, rank, id };
}

function nameFilter({ q, tag, author }: ListFilter): string {
  return nameList([q, tag, author]);
}

function readPosition(filter: ListFilter, cursor: string): Record<string, unknown> {
  const parsed = readCursor(cursor);
  if (!parsed) throw refuse();
  if (parsed.list !== nameFilter(filter)) {
    throw refuse(
      'The cursor belongs to another list, or to this list with another q, tag or author. Start again without after.',
    );
  }
  return parsed.position;
}

function refuse(message = 'is not a cursor; use next of the previous page.'): ProblemError {
  const errors = [{ path: 'after', message }];
  return new ProblemError(400, 'bad_cursor', 'The list cannot be continued with this cursor; see errors.', { errors });
}
