/** Counts views and reading time per article and day of the author's time zone, as digests do. */
import { findLocalDate } from '../../store/calendar/days.ts';
import type { Database } from '../../store/db/database.ts';
import { addPageViewTotals } from '../../store/page-views/add-totals.ts';

/** Adds to the day of `now`. Does nothing if the article does not exist. */
export async function addPageView(
  db: Database,
  reading: { articleId: string; views: number; readingSeconds: number; now: Date; host?: string },
): Promise<void> {
  const { articleId, views, readingSeconds: seconds, now, host = null } = reading;
  await db.transaction().execute(async (tx) => {
    const author = await tx
      .selectFrom('articles')
      .innerJoin('digestSettings', 'digestSettings.userId', 'articles.authorId')
      .select(['articles.authorId', 'digestSettings.zone'])
      .where('articles.id', '=', articleId)
      .executeTakeFirst();
    if (!author) return;
    const localDay = findLocalDate(now, author.zone);
    await addPageViewTotals(tx, [{ articleId, authorId: author.authorId, localDay, views, seconds, host }]);
  });
}
