/** Lists the page views of an author's article by day, with the referring hosts. */
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import { isStorableName } from '../db/valid-keys.ts';

export interface PageViewDay {
  day: string;
  views: number;
  readingSeconds: number;
  /** The most frequent first. */
  hosts: { host: string; views: number }[];
}

/**
 * Newest days first, without days that have no views. Throws NOT_FOUND for another author's
 * article.
 */
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
