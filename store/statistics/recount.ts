/**
 * Raises statistics totals that are lower than the sum of their parts. While two releases run, an
 * instance of a release that does not maintain totals writes only the days of articles.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';

export interface RecountResult {
  authors: number;
  /** Corrected days of authors, months of articles, and days of referring hosts. */
  totals: number;
}

/**
 * Recounts one author at a time, so that each statement is short. Blocks page views meanwhile, but
 * not statistics pages.
 */
export async function recountStatistics(db: Database): Promise<RecountResult> {
  const authors = await db.selectFrom('articles').select('authorId').distinct().execute();
  let totals = 0;
  for (const { authorId } of authors) totals += await recountAuthor(db, authorId);
  return { authors: authors.length, totals };
}

function recountAuthor(db: Database, authorId: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // Blocks new page views. Locks tables in the order in which page views lock rows, so that
    // neither deadlocks.
    await sql`lock table article_days, article_months, author_days, article_day_hosts, author_day_hosts
      in share row exclusive mode`.execute(tx);
    let changed = 0;
    for (const statement of [recountDays(authorId), recountMonths(authorId), recountSources(authorId)]) {
      changed += Number((await statement.execute(tx)).rows[0]?.changed ?? 0);
    }
    return changed;
  });
}

type Recount = RawBuilder<{ changed: number }>;

function recountDays(authorId: string): Recount {
  return sql<{ changed: number }>`with written as (
    insert into author_days as d (author_id, day, views, reading_seconds)
    select author_id, day, sum(views), sum(reading_seconds) from article_days join articles on articles.id = article_id
    where author_id = ${authorId} group by author_id, day
    on conflict (author_id, day) do update
      set views = greatest(d.views, excluded.views), reading_seconds = greatest(d.reading_seconds, excluded.reading_seconds)
      where d.views < excluded.views or d.reading_seconds < excluded.reading_seconds
    returning 1
  ) select count(*) as changed from written`;
}

function recountMonths(authorId: string): Recount {
  return sql<{ changed: number }>`with written as (
    insert into article_months as m (article_id, month, views, reading_seconds)
    select article_id, date_trunc('month', day), sum(d.views), sum(d.reading_seconds)
    from article_days d join articles on articles.id = article_id where author_id = ${authorId} group by 1, 2
    on conflict (article_id, month) do update
      set views = greatest(m.views, excluded.views), reading_seconds = greatest(m.reading_seconds, excluded.reading_seconds)
      where m.views < excluded.views or m.reading_seconds < excluded.reading_seconds
    returning 1
  ) select count(*) as changed from written`;
}

/**
 * Compares days, not hosts: an article may count under `other` a host that its author's total
 * names.
 */
function recountSources(authorId: string): Recount {
  return sql<{ changed: number }>`with added as (
    select author_id, day, host, sum(views) as views from article_day_hosts join articles on articles.id = article_id
    where author_id = ${authorId} group by author_id, day, host
  ), short as (
    select day from (select day, sum(views) as views from added group by day) a
    left join (select day, sum(views) as views from author_day_hosts where author_id = ${authorId} group by day) d using (day)
    where a.views > coalesce(d.views, 0)
  ), written as (
    insert into author_day_hosts as d (author_id, day, host, views)
    select author_id, day, host, views from added join short using (day)
    on conflict (author_id, day, host) do update set views = greatest(d.views, excluded.views)
  ) select count(*) as changed from short`;
}
