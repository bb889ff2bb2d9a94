/** Reads an author's own series. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';

export interface OwnSeries {
  id: string;
  title: string;
  createdAt: Date;
  /** Sort key of the title, in byte order, which no locale changes. */
  titleKey: string;
}

export interface SeriesPosition {
  titleKey: string;
  id: string;
}

/** Undefined for another author's series. */
export async function findOwnSeries(
  db: Kysely<DB>,
  { authorId, seriesId }: { authorId: string; seriesId: string },
): Promise<OwnSeries | undefined> {
  if (!isUuid(seriesId)) return undefined;
  return selectOwn(db, authorId).where('id', '=', seriesId).executeTakeFirst();
}

/** Ordered by title. `after` is the cursor of the last known series. */
export function listOwnSeries(
  db: Kysely<DB>,
  authorId: string,
  { limit, after }: { limit: number; after: SeriesPosition | null },
): Promise<OwnSeries[]> {
  let query = selectOwn(db, authorId);
  if (after) query = query.where(sql<boolean>`(title_key collate "C", id) > (${after.titleKey}, ${after.id}::uuid)`);
  return query.orderBy(sql`title_key collate "C"`).orderBy('id').limit(limit).execute();
}

/** For a data loader. */
export function listSeriesByIds(db: Kysely<DB>, authorId: string, ids: readonly string[]): Promise<OwnSeries[]> {
  return selectOwn(db, authorId).where('id', '=', sql<string>`any(${ids}::uuid[])`).execute();
}

/** The number of articles in each series, without deleted ones. */
export async function countParts(db: Kysely<DB>, authorId: string, ids: readonly string[]) {
  const rows = await db
    .selectFrom('articles')
    .select((eb) => ['partOf', eb.fn.countAll<number>().as('count')])
    .where('partOf', '=', sql<string>`any(${ids}::uuid[])`)
    .where('authorId', '=', authorId)
    .where('deletedAt', 'is', null)
    .groupBy('partOf')
    .execute();
  return new Map(rows.map(({ partOf, count }) => [partOf, count]));
}

function selectOwn(db: Kysely<DB>, authorId: string) {
  return db.selectFrom('series').select(['id', 'title', 'titleKey', 'createdAt']).where('authorId', '=', authorId);
}
