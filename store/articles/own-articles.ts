/** Articles as their author sees them: nobody else's, and whatever their state. */
import { type Kysely, sql } from 'kysely';
import type { ArticleStatus } from '../../article/types.ts';
import type { DB } from '../db/types.ts';

/** One of the author's own articles; undefined for anybody else's. A deleted one has `deletedAt`. */
export function findOwnArticle(db: Kysely<DB>, { authorId, articleId }: { authorId: string; articleId: string }) {
  return selectOwn(db, authorId).where('id', '=', articleId).executeTakeFirst();
}

export type OwnArticle = NonNullable<Awaited<ReturnType<typeof findOwnArticle>>>;

export interface OwnArticlesFilter {
  status?: ArticleStatus;
  tag?: string;
  /** Null: those that are in no series. */
  seriesId?: string | null;
}

/** Where an article stands in the list. */
export interface ArticlePosition {
  /** Microseconds since 1970: a `Date` has none. */
  createdAt: number;
  id: string;
}

/** The newest first, without deleted ones; `after` is the position of the last that is known. */
export function listOwnArticles(
  db: Kysely<DB>,
  authorId: string,
  { filter, limit, after }: { filter: OwnArticlesFilter; limit: number; after: ArticlePosition | null },
): Promise<OwnArticle[]> {
  let query = selectOwn(db, authorId).where('deletedAt', 'is', null);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.tag !== undefined) query = query.where(sql<boolean>`${filter.tag} = any(tags)`);
  if (filter.seriesId === null) query = query.where('seriesId', 'is', null);
  else if (filter.seriesId !== undefined) query = query.where('seriesId', '=', filter.seriesId);
  if (after) {
    query = query.where(sql<boolean>`(created_at, id) <
      ('epoch'::timestamptz + ${after.createdAt}::float8 * interval '1 microsecond', ${after.id}::uuid)`);
  }
  return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

function selectOwn(db: Kysely<DB>, authorId: string) {
  return (
    db
      .selectFrom('articles')
      .select(['id', 'slug', 'title', 'status', 'tags', 'seriesId', 'scheduledAt', 'publishedAt', 'createdAt'])
      .select([
        'updatedAt',
        'deletedAt',
        sql<number>`(extract(epoch from created_at) * 1000000)::bigint`.as('createdMicros'),
      ])
      // The zone belongs to the scheduled time: a published article has neither.
      .select(sql<string | null>`case when status = 'SCHEDULED' then scheduled_zone end`.as('scheduledZone'))
      .where('authorId', '=', authorId)
  );
}
