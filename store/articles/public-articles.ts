/** An author's published canonical articles, as everybody sees them. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isPublishedCanonical } from '../lists/article-list.ts';

export interface PublicSummary {
  id: string;
  slug: string;
  title: string;
  excerpt: string;
  tags: string[];
  publishedAt: Date;
  publishedMicros: number;
}

/** Where an article stands in the list; the time in microseconds since 1970. */
export interface PublicPosition {
  publishedAt: number;
  id: string;
}

/** The newest first; `after` is the position of the last that is known. */
export async function listPublicArticles(
  db: Kysely<DB>,
  authorId: string,
  { limit, after }: { limit: number; after: PublicPosition | null },
): Promise<PublicSummary[]> {
  const behind = after
    ? sql`and (published_at, id) < ('epoch'::timestamptz + ${after.publishedAt}::float8 * interval '1 microsecond', ${after.id}::uuid)`
    : sql``;
  const { rows } = await sql<PublicSummary>`
    select id, slug, title, coalesce(derived ->> 'excerpt', '') as excerpt, tags, published_at,
      (extract(epoch from published_at) * 1000000)::bigint as published_micros
    from articles where author_id = ${authorId} and ${isPublishedCanonical} ${behind}
    order by published_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}
