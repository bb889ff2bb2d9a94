/** Reads the articles of a list, for pages, for programs and for search results. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isStorableName } from '../db/valid-keys.ts';
import { type ArticleList, isListed, type ListPosition, maySearch, selectNewest } from './article-list.ts';

export interface ArticleCard {
  id: string;
  slug: string;
  title: string;
  subtitle: string | null;
  excerpt: string;
  givenCanonicalUrl: string | null;
  tags: string[];
  /** A BCP 47 tag. */
  language: string | null;
  /** Null until the article is described, shortly after its publish. */
  readingTimeMinutes: number | null;
  coverImage: string | null;
  seriesId: string | null;
  seriesTitle: string | null;
  seriesPart: number | null;
  authorId: string;
  authorName: string;
  authorUsername: string;
  publishedAt: Date;
  publishedMicros: number;
  updatedAt: Date;
}

/** Columns over rows of `articles` with their authors as `users`. */
export const CARD_COLUMNS = sql`articles.id, articles.slug, articles.title, articles.subtitle,
  coalesce(articles.abstract, '') as excerpt, articles.given_canonical_url, articles.tags,
  coalesce(articles.language, articles.derived ->> 'language') as language,
  (articles.derived ->> 'readingTimeMinutes')::int as reading_time_minutes, articles.cover_image,
  articles.part_of as series_id, articles.part_position as series_part,
  (select series.title from series where series.id = articles.part_of) as series_title,
  users.id as author_id, users.name as author_name, users.username as author_username, articles.published_at,
  (extract(epoch from articles.published_at) * 1000000)::bigint as published_micros, articles.updated_at`;

/** Newest first. */
export async function listArticles(db: Kysely<DB>, list: ArticleList, limit: number): Promise<ArticleCard[]> {
  const { rows } = await sql<ArticleCard>`select ${CARD_COLUMNS} ${selectNewest(list)} limit ${limit}`.execute(db);
  return rows;
}

/** Like `listArticles`, in the author's order of the series. */
export async function listParts(db: Kysely<DB>, series: ArticleList, limit: number): Promise<ArticleCard[]> {
  const { rows } = await sql<ArticleCard>`
    select ${CARD_COLUMNS} from (select articles.id ${selectNewest(series)}) as parts
    join articles on articles.id = parts.id join users on users.id = articles.author_id
    order by articles.part_position, articles.created_at, articles.id limit ${limit}`.execute(db);
  return rows;
}

export interface CardFilter {
  authorId: string | null;
  /** Normalised like the tags of articles. */
  tag: string | null;
}

/** Programs do not get articles with `search=no`. People get all. */
export type ListReader = 'person' | 'program';

/** A page of the articles of the site, an author or a tag, newest first. */
export async function listCards(
  db: Kysely<DB>,
  { authorId, tag }: CardFilter,
  { after, limit, reader }: { after: ListPosition | null; limit: number; reader: ListReader },
): Promise<ArticleCard[]> {
  const maySee = reader === 'person' ? sql`true` : maySearch;
  const { rows } = await sql<ArticleCard>`select * from (select ${CARD_COLUMNS}, ${maySee} as may_see
    ${selectNewest(chooseList(authorId, tag), after)}) as listed where may_see limit ${limit}`.execute(db);
  return rows;
}

function chooseList(authorId: string | null, tag: string | null): ArticleList {
  if (authorId !== null) return tag === null ? { kind: 'author', authorId } : { kind: 'author-tag', authorId, tag };
  return tag === null ? { kind: 'site' } : { kind: 'tag', tag };
}

/** Undefined if the article is not listed. */
export async function findCard(db: Kysely<DB>, slug: string): Promise<ArticleCard | undefined> {
  if (!isStorableName(slug)) return undefined;
  const { rows } =
    await sql<ArticleCard>`select ${CARD_COLUMNS} from articles join users on users.id = articles.author_id
    where articles.slug = ${slug} and ${isListed}`.execute(db);
  return rows[0];
}
