/** Reads an author's own articles in any state. */
import { type Kysely, sql } from 'kysely';
import type { ArticleStatus, DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { needsAuthor } from '../deliveries/states.ts';
import { readMicros } from '../lists/article-list.ts';
import { buildOwnSearch } from '../search/own-search.ts';
import { selectDocuments } from '../users/export-rows.ts';

/** The destinations for which an article is selected, connected or not. */
const selectedDestinations = sql<DestinationKey[]>`array(select key from jsonb_object_keys(cross_post) key
  where is_selected(syndicate, imported, cross_post, key) order by key)`;

/** Undefined for another author's article. A deleted one has `deletedAt`. */
export function findOwnArticle(db: Kysely<DB>, { authorId, articleId }: { authorId: string; articleId: string }) {
  return selectOwn(db, authorId).where('id', '=', articleId).executeTakeFirst();
}

/** The author's articles with these ids, newest first, without deleted ones. */
export function listOwnArticlesByIds(db: Kysely<DB>, authorId: string, ids: readonly string[]): Promise<OwnArticle[]> {
  return selectOwn(db, authorId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export type OwnArticle = NonNullable<Awaited<ReturnType<typeof findOwnArticle>>>;

/** The author's AI preference for all articles, and the preference for this article. */
export async function findArticleSignals(
  db: Kysely<DB>,
  { authorId, articleId }: { authorId: string; articleId: string },
): Promise<{ authorSignal: string | null; contentSignal: string | null }> {
  const row = await db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select(['users.contentSignal as authorSignal', 'articles.contentSignal'])
    .where('articles.id', '=', articleId)
    .where('articles.authorId', '=', authorId)
    .executeTakeFirst();
  return row ?? { authorSignal: null, contentSignal: null };
}

export interface OwnArticlesFilter {
  status?: ArticleStatus;
  tag?: string;
  /** A series id (UUID). Null selects articles that are in no series. */
  seriesId?: string | null;
  /** See `buildOwnSearch`. */
  search?: string;
  /** Only articles with a delivery that cannot proceed without its author. */
  needsAuthor?: true;
}

/** A cursor in the list of articles. */
export type ArticleCursor =
  /** Microseconds since 1970. A `Date` has only milliseconds. */
  | { createdAt: number; id: string }
  /** In the list of one series. */
  | { partPosition: number; id: string };

/** Whether the list shows one series, in the order of its parts. */
export function isSeriesList({ seriesId }: OwnArticlesFilter): boolean {
  return typeof seriesId === 'string';
}

/**
 * Newest first, without deleted ones. A series is in the order of its parts. `after` is the cursor
 * of the last known article; `previousFrom` selects the articles directly ahead of that cursor, in the
 * same order.
 */
export async function listOwnArticles(
  db: Kysely<DB>,
  authorId: string,
  {
    filter,
    limit,
    after,
    before = null,
  }: { filter: OwnArticlesFilter; limit: number; after: ArticleCursor | null; before?: ArticleCursor | null },
): Promise<OwnArticle[]> {
  let query = selectOwn(db, authorId).where('deletedAt', 'is', null);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.tag !== undefined) query = query.where(sql<boolean>`${filter.tag} = any(tags)`);
  if (filter.seriesId === null) query = query.where('partOf', 'is', null);
  else if (filter.seriesId !== undefined) query = query.where('partOf', '=', filter.seriesId);
  if (filter.search !== undefined) query = query.where(await buildOwnSearch(db, filter.search));
  if (filter.needsAuthor) query = query.where(needsAuthor);
  if (after) query = query.where(isBeyond(after, 'behind'));
  if (before) query = query.where(isBeyond(before, 'in front'));
  const [seriesOrder, timeOrder] = before ? (['desc', 'asc'] as const) : (['asc', 'desc'] as const);
  const ordered = isSeriesList(filter)
    ? query.orderBy('partPosition', seriesOrder).orderBy('id', seriesOrder)
    : query.orderBy('createdAt', timeOrder).orderBy('id', timeOrder);
  const rows = await ordered.limit(limit).execute();
  return before ? rows.reverse() : rows;
}

function isBeyond(position: ArticleCursor, side: 'behind' | 'in front') {
  const isSmaller = sql.raw(side === 'behind' ? '<' : '>');
  const isGreater = sql.raw(side === 'behind' ? '>' : '<');
  if ('partPosition' in position) {
    return sql<boolean>`(part_position, id) ${isGreater} (${position.partPosition}::int, ${position.id}::uuid)`;
  }
  return sql<boolean>`(created_at, id) ${isSmaller} (${readMicros(position.createdAt)}, ${position.id}::uuid)`;
}

/** Deleted articles are not counted. */
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

/** Tags of the author's articles that are not deleted, the most used first. */
export async function listOwnTags(db: Kysely<DB>, authorId: string): Promise<{ tag: string; count: number }[]> {
  const { rows } = await sql<{ tag: string; count: number }>`
    select tag, count(*) from articles, unnest(tags) as tag where author_id = ${authorId} and deleted_at is null
    group by tag order by count(*) desc, tag limit ${MAX_TAGS}`.execute(db);
  return rows;
}

const MAX_TAGS = 500;

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
        'dispatch',
        'dispatchedAt',
        'imported',
        selectedDestinations.as('selected'),
        sql<number>`(extract(epoch from created_at) * 1000000)::bigint`.as('createdMicros'),
      ])
      // The zone belongs to the scheduled time: a published article has neither.
      .select(sql<string | null>`case when status = 'SCHEDULED' then scheduled_zone end`.as('scheduledZone'))
      .where('authorId', '=', authorId)
  );
}

/** Undefined for another author's article and for a deleted one. */
export async function findOwnDocument(db: Database, { authorId, articleId }: { authorId: string; articleId: string }) {
  return selectDocuments(db, authorId).select('fingerprint').where('id', '=', articleId).executeTakeFirst();
}
