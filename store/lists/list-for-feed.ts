/** What a feed shows of a list of articles: the newest, with their text. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { type ArticleList, selectNewest } from './article-list.ts';

export interface FeedArticle {
  id: string;
  slug: string;
  title: string;
  subtitle: string | null;
  excerpt: string;
  /** Null where the newer ones have used up the room. */
  html: string | null;
  language: string | null;
  tags: string[];
  category: string | null;
  coverImage: string | null;
  givenCanonicalUrl: string | null;
  authorName: string;
  authorUsername: string;
  publishedAt: Date;
  updatedAt: Date;
  /** When what readers see of it last changed. */
  shownSince: Date;
}

/** `room` is for the texts of all of them together, in bytes: once it is full, the rest comes without. */
export async function listForFeed(
  db: Kysely<DB>,
  list: ArticleList,
  { limit, room }: { limit: number; room: number },
): Promise<FeedArticle[]> {
  const { rows } = await sql<FeedArticle>`
    with newest as (
      select articles.id, articles.slug, articles.title, articles.subtitle, coalesce(articles.derived ->> 'excerpt', '') as excerpt,
        articles.derived ->> 'html' as html, coalesce(articles.language, articles.derived ->> 'language') as language,
        articles.tags, articles.category, articles.cover_image, articles.given_canonical_url,
        users.name as author_name, users.username as author_username,
        articles.published_at, articles.updated_at, greatest(articles.updated_at, articles.derived_at) as shown_since
      ${selectNewest(list)} limit ${limit}
    )
    select id, slug, title, subtitle, excerpt, language, tags, category, cover_image, given_canonical_url, author_name, author_username,
      published_at, updated_at, shown_since,
      case when sum(octet_length(html)) over (order by published_at desc, id desc) <= ${room} then html end as html
    from newest order by published_at desc, id desc`.execute(db);
  return rows;
}
