/** Views and reading time, one row per article and day. The day is that of the author's time zone, so that a digest counts the author's whole days. */
import { type Kysely, sql } from 'kysely';
import { findLocalDate } from '../../calendar/days.ts';
import type { DB } from '../db/types.ts';

/** Adds to the day of `now`. Does nothing where the article is gone. */
export async function countReading(
  db: Kysely<DB>,
  reading: { articleId: string; views: number; readingSeconds: number; now: Date },
): Promise<void> {
  const { articleId, views, readingSeconds, now } = reading;
  const author = await db
    .selectFrom('articles')
    .innerJoin('digestSettings', 'digestSettings.userId', 'articles.authorId')
    .select('digestSettings.zone')
    .where('articles.id', '=', articleId)
    .executeTakeFirst();
  if (!author) return;
  await sql`
    insert into article_days as d (article_id, day, views, reading_seconds)
    select id, ${findLocalDate(now, author.zone)}, ${views}, ${readingSeconds} from articles where id = ${articleId}
    on conflict (article_id, day) do update
      set views = d.views + excluded.views, reading_seconds = d.reading_seconds + excluded.reading_seconds`.execute(db);
}
