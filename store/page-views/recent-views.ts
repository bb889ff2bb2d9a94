/** Counts recent views of articles. The caller checks who may see them. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

/** From the day `since` on (`2026-11-23`). Articles without views are left out. */
export async function countPageViews(
  db: Kysely<DB>,
  articleIds: readonly string[],
  since: string,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('articleDays')
    .select((eb) => ['articleId', eb.fn.sum<number>('views').as('views')])
    .where('articleId', '=', sql<string>`any(${articleIds}::uuid[])`)
    .where('day', '>=', since)
    .groupBy('articleId')
    .execute();
  return new Map(rows.map(({ articleId, views }) => [articleId, Number(views)]));
}

/** Views of one article by day. Days without views are left out. */
export function listViews(db: Kysely<DB>, articleId: string, since: string) {
  return db
    .selectFrom('articleDays')
    .select(['day', 'views', 'readingSeconds'])
    .where('articleId', '=', articleId)
    .where('day', '>=', since)
    .orderBy('day')
    .execute();
}
