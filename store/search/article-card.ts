/** An article in lists and search results for programs. */
import { sql } from 'kysely';

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
