/** Lists the publication times of an author's articles, past and scheduled. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

export interface CalendarEntry {
  id: string;
  title: string;
  /** True until the article is published, so its time may already have passed. */
  isScheduled: boolean;
  at: Date;
}

/** Entries in `[from, end)` in order of time, at most `limit`. */
export async function listCalendar(
  db: Kysely<DB>,
  { authorId, from, end, limit }: { authorId: string; from: Date; end: Date; limit: number },
): Promise<CalendarEntry[]> {
  const { rows } = await sql<CalendarEntry>`
    select id, title, true as is_scheduled, scheduled_at as at from articles
      where author_id = ${authorId} and status = 'SCHEDULED' and scheduled_at >= ${from} and scheduled_at < ${end}
    union all
    select id, title, false, published_at from articles
      where author_id = ${authorId} and status = 'PUBLISHED' and published_at >= ${from} and published_at < ${end}
    order by at, id limit ${limit}`.execute(db);
  return rows;
}
