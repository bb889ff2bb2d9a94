/** Lists an author's published canonical articles, as readers see them. */
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

/** A cursor in the list; the time is in microseconds since 1970. */
export interface PublicArticleCursor {
  publishedAt: number;
  id: string;
}

/** Newest first. `after` is the cursor of the last known article. */
export async function listPublicArticles(
  db: Kysely<DB>,
  authorId: string,
  { limit, after }: { limit: number; after: PublicArticleCursor | null },
): Promise<PublicSummary[]> {
  const afterCursor = after
    ? sql`and (published_at, id) < ('epoch'::timestamptz + ${after.publishedAt}::float8 * interval '1 microsecond', ${after.id}::uuid)`
    : sql``;
  const { rows } = await sql<PublicSummary>`
    select id, slug, title, coalesce(derived ->> 'excerpt', '') as excerpt, tags, published_at,
      (extract(epoch from published_at) * 1000000)::bigint as published_micros
    from articles where author_id = ${authorId} and ${isPublishedCanonical} ${afterCursor}
    order by published_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}
