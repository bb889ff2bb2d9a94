/** Articles as their author sees them: nobody else's, and whatever their state. */
import { type Kysely, sql } from 'kysely';
import type { ArticleStatus } from '../../article/types.ts';
import type { DB } from '../db/types.ts';
import { buildOwnSearch } from '../search/own-search.ts';

/** One of the author's own articles; undefined for anybody else's. A deleted one has `deletedAt`. */
export function findOwnArticle(db: Kysely<DB>, { authorId, articleId }: { authorId: string; articleId: string }) {
  return selectOwn(db, authorId).where('id', '=', articleId).executeTakeFirst();
}

export type OwnArticle = NonNullable<Awaited<ReturnType<typeof findOwnArticle>>>;

export interface OwnArticlesFilter {
  status?: ArticleStatus;
  tag?: string;
  /** Null: those that are in no series. Any other is the id of a series: a UUID. */
  seriesId?: string | null;
  /** See `buildOwnSearch`. */
  search?: string;
}

/** Where an article stands in the list. */
export type ArticlePosition =
  /** Microseconds since 1970: a `Date` has none. */
  | { createdAt: number; id: string }
  /** In the list of a series. */
  | { place: number; id: string };

/** Whether the list is that of a series, and in its order. */
export function isOfSeries({ seriesId }: OwnArticlesFilter): boolean {
  return typeof seriesId === 'string';
}

/** The newest first, without deleted ones; those of a series in its order. `after` is the position of the last that is known. */
export async function listOwnArticles(
  db: Kysely<DB>,
  authorId: string,
  { filter, limit, after }: { filter: OwnArticlesFilter; limit: number; after: ArticlePosition | null },
): Promise<OwnArticle[]> {
  let query = selectOwn(db, authorId).where('deletedAt', 'is', null);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.tag !== undefined) query = query.where(sql<boolean>`${filter.tag} = any(tags)`);
  if (filter.seriesId === null) query = query.where('partOf', 'is', null);
  else if (filter.seriesId !== undefined) query = query.where('partOf', '=', filter.seriesId);
  if (filter.search !== undefined) query = query.where(await buildOwnSearch(db, filter.search));
  if (after) query = query.where(isBehind(after));
  const ordered = isOfSeries(filter)
    ? query.orderBy('partPosition').orderBy('id')
    : query.orderBy('createdAt', 'desc').orderBy('id', 'desc');
  return ordered.limit(limit).execute();
}

function isBehind(after: ArticlePosition) {
  if ('place' in after) return sql<boolean>`(part_position, id) > (${after.place}::int, ${after.id}::uuid)`;
  return sql<boolean>`(created_at, id) <
    ('epoch'::timestamptz + ${after.createdAt}::float8 * interval '1 microsecond', ${after.id}::uuid)`;
}

/** Without deleted ones. */
export async function countOwnArticles(db: Kysely<DB>, authorId: string, status?: ArticleStatus): Promise<number> {
  const { count } = await db
    .selectFrom('articles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('authorId', '=', authorId)
    .where('deletedAt', 'is', null)
    .$if(status !== undefined, (query) => query.where('status', '=', status as ArticleStatus))
    .executeTakeFirstOrThrow();
  return count;
}

/** The tags of one's own articles, without deleted ones, the most used first. */
export async function listOwnTags(db: Kysely<DB>, authorId: string): Promise<{ tag: string; count: number }[]> {
  const { rows } = await sql<{ tag: string; count: number }>`
    select tag, count(*) from articles, unnest(tags) as tag where author_id = ${authorId} and deleted_at is null
    group by tag order by count(*) desc, tag limit ${MOST_TAGS}`.execute(db);
  return rows;
}

const MOST_TAGS = 500;
function selectOwn(db: Kysely<DB>, authorId: string) {
  return (
    db
      .selectFrom('articles')
      .select([
        'id',
        'slug',
        'title',
        'status',
        'revision',
        'tags',
        'partOf as seriesId',
        'partPosition',
        'scheduledAt',
        'publishedAt',
        'createdAt',
      ])
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
