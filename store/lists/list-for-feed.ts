/** Lists the newest articles of a list with their text, as a feed shows them. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { type ArticleList, selectNewest } from './article-list.ts';

export interface FeedArticle {
  id: string;
  slug: string;
  title: string;
  subtitle: string | null;
  excerpt: string;
  /** Null if the newer articles have used up the byte limit. */
  html: string | null;
  language: string | null;
  tags: string[];
  category: string | null;
  coverImage: string | null;
  givenCanonicalUrl: string | null;
  authorName: string;
  authorUsername: string;
  /** AI preference of the article; `authorSignal` is the author's for all articles. */
  contentSignal: string | null;
  authorSignal: string | null;
  publishedAt: Date;
  updatedAt: Date;
  /** When its public rendering last changed. */
  renderedAt: Date;
}

/** `maxHtmlBytes`: bytes for the texts of all articles. Once used up, later texts are null. */
export async function listForFeed(
  db: Kysely<DB>,
  list: ArticleList,
  { limit, maxHtmlBytes }: { limit: number; maxHtmlBytes: number },
): Promise<FeedArticle[]> {
  const { rows } = await sql<FeedArticle>`
    with newest as (
      select articles.id, articles.slug, articles.title, articles.subtitle, coalesce(articles.abstract, '') as excerpt,
        articles.derived ->> 'html' as html, coalesce(articles.language, articles.derived ->> 'language') as language,
        articles.tags, articles.category, articles.cover_image, articles.given_canonical_url,
        users.name as author_name, users.username as author_username,
        articles.content_signal, users.content_signal as author_signal,
        articles.published_at, articles.updated_at, greatest(articles.updated_at, articles.derived_at) as rendered_at
      ${selectNewest(list)} limit ${limit}
    )
    select id, slug, title, subtitle, excerpt, language, tags, category, cover_image, given_canonical_url, author_name, author_username, content_signal, author_signal,
      published_at, updated_at, rendered_at,
      case when sum(octet_length(html)) over (order by published_at desc, id desc) <= ${maxHtmlBytes} then html end as html
    from newest order by published_at desc, id desc`.execute(db);
  return rows;
}
