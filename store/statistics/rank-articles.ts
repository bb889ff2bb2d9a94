/** Ranks an author's articles by page views in a range, page by page. */
import { type Kysely, sql } from 'kysely';
import type { DayRange } from '../calendar/ranges.ts';
import type { DB } from '../db/types.ts';
import { isNotSuspended } from '../users/suspensions.ts';

export interface RankedArticle {
  id: string;
  title: string;
  slug: string;
  status: string;
  views: number;
  readingSeconds: number;
  reactions: number;
  /** Views in each step of the range. */
  steps: number[];
}

export interface Ranking {
  articles: RankedArticle[];
  /** Number of articles on all pages. */
  count: number;
  /** Views of deleted articles. They count in the totals, but are not listed. */
  deletedViews: number;
}

/** Published articles, with or without views, and others with views in the range. */
export async function rankArticles(
  db: Kysely<DB>,
  authorId: string,
  range: DayRange,
  { limit, offset }: { limit: number; offset: number },
): Promise<Ranking> {
  const { rows } = await selectRanking(authorId, range, { limit, offset }).execute(db);
  const listed = rows.flatMap(({ deletedViews, count, id, ...article }) => (id === null ? [] : [{ id, ...article }]));
  const steps = await countViews(
    db,
    range,
    listed.map(({ id }) => id),
  );
  return {
    articles: listed.map((article) => ({ ...article, steps: steps(article.id) })),
    count: rows[0]?.count ?? 0,
    deletedViews: rows[0]?.deletedViews ?? 0,
  };
}

type RankedRow = Omit<RankedArticle, 'steps' | 'id'> & { id: string | null; count: number; deletedViews: number };

/** Returns at least one row, which has only the counts if the page is empty. */
export function selectRanking(authorId: string, range: DayRange, { limit, offset }: { limit: number; offset: number }) {
  const { begin, end } = range.total;
  return sql<RankedRow>`
    with read as (
      select article_id, sum(views)::float8 as views, sum(reading_seconds)::float8 as seconds
      from ${selectDays(range)} and article_id in (select id from articles where author_id = ${authorId})
      group by article_id
    ), known as (
      select a.id, a.title, a.slug, a.status, a.deleted_at, a.published_at,
        coalesce(read.views, 0) as views, coalesce(read.seconds, 0) as reading_seconds
      from articles a left join read on read.article_id = a.id
      where a.author_id = ${authorId} and (read.views > 0 or (a.deleted_at is null and a.status = 'PUBLISHED'))
    ), page as (
      select * from known where deleted_at is null
      order by views desc, published_at desc nulls last, id limit ${limit} offset ${offset}
    )
    select page.id, page.title, page.slug, page.status, page.views, page.reading_seconds,
      (select count(*) from reactions r where r.article_id = page.id and r.created_at >= ${begin} and r.created_at < ${end}
        and r.user_id <> ${authorId} and ${isNotSuspended('r.userId')}) as reactions,
      counted.count, counted.deleted_views
    from (select count(*) filter (where deleted_at is null) as count,
        coalesce(sum(views) filter (where deleted_at is not null), 0) as deleted_views from known) counted
      left join page on true
    order by page.views desc, page.published_at desc nulls last, page.id`;
}

/** Days of articles in a range, or months including the present one. Append further conditions. */
function selectDays({ unit, total, steps }: DayRange) {
  if (unit === 'day') return sql`article_days where day >= ${total.from}::date and day <= ${total.to}::date`;
  return sql`article_months where month >= ${total.from}::date and month <= ${steps.at(-1)?.from}::date`;
}

async function countViews(db: Kysely<DB>, range: DayRange, ids: readonly string[]): Promise<(id: string) => number[]> {
  const { rows } = await sql<{ articleId: string; first: string; views: number }>`
    select article_id, ${sql.ref(range.unit)} as first, views from ${selectDays(range)} and article_id = any(${ids}::uuid[])`.execute(
    db,
  );
  const byArticle = Map.groupBy(rows, ({ articleId }) => articleId);
  return (id) => {
    const views = new Map(byArticle.get(id)?.map((row) => [row.first, row.views]));
    return range.steps.map(({ from }) => views.get(from) ?? 0);
  };
}
