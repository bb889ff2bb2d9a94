/** Reads the articles of a list as a page shows them. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { type ArticleList, selectNewest } from './article-list.ts';

export interface ListedArticle {
  slug: string;
  title: string;
  excerpt: string;
  coverImage: string | null;
  /** A BCP 47 tag. */
  language: string | null;
  /** Null until the article is described, shortly after its publish. */
  readingTimeMinutes: number | null;
  authorName: string;
  authorUsername: string;
  publishedAt: Date;
  tags: string[];
}

/** Columns over rows of `articles` with their authors as `users`. */
export const LISTED_COLUMNS = sql`articles.slug, articles.title, articles.tags, coalesce(articles.abstract, '') as excerpt, articles.cover_image,
  coalesce(articles.language, articles.derived ->> 'language') as language,
  (articles.derived ->> 'readingTimeMinutes')::int as reading_time_minutes,
  users.name as author_name, users.username as author_username, articles.published_at`;

/** Newest first. */
export async function listArticles(db: Kysely<DB>, list: ArticleList, limit: number): Promise<ListedArticle[]> {
  const { rows } = await sql<ListedArticle>`select ${LISTED_COLUMNS} ${selectNewest(list)} limit ${limit}`.execute(db);
  return rows;
}

/** Like `listArticles`, in the author's order of the series. */
export async function listParts(db: Kysely<DB>, series: ArticleList, limit: number): Promise<ListedArticle[]> {
  const { rows } = await sql<ListedArticle>`
    select ${LISTED_COLUMNS} from (select articles.id ${selectNewest(series)}) as parts
    join articles on articles.id = parts.id join users on users.id = articles.author_id
    order by articles.part_position, articles.created_at, articles.id limit ${limit}`.execute(db);
  return rows;
}
