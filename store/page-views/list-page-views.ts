/** Lists the page views of an author's article by day, with the referring hosts. */
import { type Kysely, sql } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { isStorableName } from '../db/valid-keys.ts';

export interface PageViewDay {
  day: string;
  views: number;
  readingSeconds: number;
  /** The most frequent first. */
  hosts: { host: string; views: number }[];
}

/** Newest days first, only those with views. Throws NOT_FOUND for another author's article. */
export async function listPageViews(
  db: Database,
  { authorId, slug, days }: { authorId: string; slug: string; days: number },
): Promise<PageViewDay[]> {
  const article = isStorableName(slug)
    ? await db
        .selectFrom('articles')
        .select('id')
        .where('slug', '=', slug)
        .where('authorId', '=', authorId)
        .executeTakeFirst()
    : undefined;
  if (!article) throw new RefusedCommandError('NOT_FOUND', 'You have no such article.', 'slug');
  const totals = await db
    .selectFrom('articleDays')
    .select(['day', 'views', 'readingSeconds'])
    .where('articleId', '=', article.id)
    .orderBy('day', 'desc')
    .limit(days)
    .execute();
  const oldest = totals.at(-1)?.day;
  if (oldest === undefined) return [];
  const hosts = await db
    .selectFrom('articleDayHosts')
    .select(['day', 'host', 'views'])
    .where('articleId', '=', article.id)
    .where('day', '>=', oldest)
    .orderBy('views', 'desc')
    .orderBy('host')
    .execute();
  return totals.map((total) => ({
    ...total,
    hosts: hosts.filter(({ day }) => day === total.day).map(({ host, views }) => ({ host, views })),
  }));
}

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
