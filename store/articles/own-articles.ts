/** Articles as their author sees them: nobody else's, and whatever their state. */
import { type Kysely, sql } from 'kysely';
import type { ArticleStatus, DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';
import { needsAuthor } from '../deliveries/needs-author.ts';
import { buildOwnSearch } from '../search/own-search.ts';

/** The destinations for which an article is selected, connected or not. */
const selectedDestinations = sql<DestinationKey[]>`array(select key from jsonb_object_keys(cross_post) key
  where is_selected(syndicate, imported, cross_post, key) order by key)`;

/** One of the author's own articles; undefined for anybody else's. A deleted one has `deletedAt`. */
export function findOwnArticle(db: Kysely<DB>, { authorId, articleId }: { authorId: string; articleId: string }) {
  return selectOwn(db, authorId).where('id', '=', articleId).executeTakeFirst();
}

/** Those of several ids, the newest first, without deleted ones. */
export function listOwnArticlesByIds(db: Kysely<DB>, authorId: string, ids: readonly string[]): Promise<OwnArticle[]> {
  return selectOwn(db, authorId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export type OwnArticle = NonNullable<Awaited<ReturnType<typeof findOwnArticle>>>;

/** What the author says of all texts, and of this one, that agents may do. */
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
  /** Null: those that are in no series. Any other is the id of a series: a UUID. */
  seriesId?: string | null;
  /** See `buildOwnSearch`. */
  search?: string;
  /** Those with a delivery that goes on only if their author does something. */
  needsAuthor?: true;
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

/**
 * The newest first, without deleted ones; those of a series in its order. `after` is the position of the last that is known; with `before` they are
 * those that end right in front of that one, in the same order.
 */
export async function listOwnArticles(
  db: Kysely<DB>,
  authorId: string,
  {
    filter,
    limit,
    after,
    before = null,
  }: { filter: OwnArticlesFilter; limit: number; after: ArticlePosition | null; before?: ArticlePosition | null },
): Promise<OwnArticle[]> {
  let query = selectOwn(db, authorId).where('deletedAt', 'is', null);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.tag !== undefined) query = query.where(sql<boolean>`${filter.tag} = any(tags)`);
  if (filter.seriesId === null) query = query.where('partOf', 'is', null);
  else if (filter.seriesId !== undefined) query = query.where('partOf', '=', filter.seriesId);
  if (filter.search !== undefined) query = query.where(await buildOwnSearch(db, filter.search));
  if (filter.needsAuthor) query = query.where(needsAuthor);
  if (after) query = query.where(isBeside(after, 'behind'));
  if (before) query = query.where(isBeside(before, 'in front'));
  const [ahead, back] = before ? (['desc', 'asc'] as const) : (['asc', 'desc'] as const);
  const ordered = isOfSeries(filter)
    ? query.orderBy('partPosition', ahead).orderBy('id', ahead)
    : query.orderBy('createdAt', back).orderBy('id', back);
  const rows = await ordered.limit(limit).execute();
  return before ? rows.reverse() : rows;
}

function isBeside(position: ArticlePosition, side: 'behind' | 'in front') {
  const isSmaller = sql.raw(side === 'behind' ? '<' : '>');
  const isGreater = sql.raw(side === 'behind' ? '>' : '<');
  if ('place' in position) {
    return sql<boolean>`(part_position, id) ${isGreater} (${position.place}::int, ${position.id}::uuid)`;
  }
  return sql<boolean>`(created_at, id) ${isSmaller}
    ('epoch'::timestamptz + ${position.createdAt}::float8 * interval '1 microsecond', ${position.id}::uuid)`;
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
        'revision',
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
