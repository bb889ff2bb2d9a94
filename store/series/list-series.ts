/** Series as their author sees them: nobody else's. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';

export interface OwnSeries {
  id: string;
  title: string;
  createdAt: Date;
  /** By title in the order of the database's bytes, which no locale changes. */
  titleKey: string;
}

export interface SeriesPosition {
  titleKey: string;
  id: string;
}

/** Undefined for anybody else's. */
export async function findOwnSeries(
  db: Kysely<DB>,
  { authorId, seriesId }: { authorId: string; seriesId: string },
): Promise<OwnSeries | undefined> {
  if (!isUuid(seriesId)) return undefined;
  return selectOwn(db, authorId).where('id', '=', seriesId).executeTakeFirst();
}

/** By title; `after` is the position of the last that is known. */
export function listOwnSeries(
  db: Kysely<DB>,
  authorId: string,
  { limit, after }: { limit: number; after: SeriesPosition | null },
): Promise<OwnSeries[]> {
  let query = selectOwn(db, authorId);
  if (after) query = query.where(sql<boolean>`(title_key collate "C", id) > (${after.titleKey}, ${after.id}::uuid)`);
  return query.orderBy(sql`title_key collate "C"`).orderBy('id').limit(limit).execute();
}

/** The series of several ids, as a loader asks for them. */
export function listSeriesByIds(db: Kysely<DB>, authorId: string, ids: readonly string[]): Promise<OwnSeries[]> {
  return selectOwn(db, authorId).where('id', '=', sql<string>`any(${ids}::uuid[])`).execute();
}

/** How many articles each of them has, without deleted ones. */
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
