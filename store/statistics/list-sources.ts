/** Lists the sites that readers came from in a range. */
import { type Kysely, sql } from 'kysely';
import type { DaySpan } from '../calendar/ranges.ts';
import type { DB } from '../db/types.ts';

export interface Sources {
  /** The most frequent first. `direct`: no referring site; `other`: beyond the limit of a day. */
  listed: { host: string; views: number }[];
  /** The number of further hosts, and their views. */
  more: { hosts: number; views: number };
  views: number;
}

/** Hosts are untrusted text. */
export async function listSources(
  db: Kysely<DB>,
  subject: Subject,
  { span, limit }: { span: DaySpan; limit: number },
): Promise<Sources> {
  const { rows } = await selectSources(subject, { span, limit }).execute(db);
  const listed = rows.map(({ host, views }) => ({ host, views }));
  const [views, hosts] = [rows[0]?.allViews ?? 0, rows[0]?.allHosts ?? 0];
  const listedViews = listed.reduce((sum, source) => sum + source.views, 0);
  return { listed, more: { hosts: hosts - listed.length, views: views - listedViews }, views };
}

export function selectSources({ authorId, articleId }: Subject, { span, limit }: { span: DaySpan; limit: number }) {
  const source =
    articleId === null
      ? sql`author_day_hosts where author_id = ${authorId}`
      : sql`article_day_hosts where article_id = ${articleId}`;
  return sql<{ host: string; views: number; allViews: number; allHosts: number }>`
    select host, views, sum(views) over ()::float8 as all_views, count(*) over () as all_hosts from (
      select host, sum(views)::float8 as views from ${source} and day >= ${span.from}::date and day <= ${span.to}::date group by host
    ) summed where views > 0 order by views desc, host limit ${limit}`;
}

export interface Subject {
  authorId: string;
  /** The author's own article, checked by the caller; null for all. */
  articleId: string | null;
}

/** Whether a row with this article id belongs to the subject. */
export function isOfSubject({ authorId, articleId }: Subject, column: string) {
  const id = sql.ref(column);
  return articleId === null
    ? sql<boolean>`${id} in (select id from articles where author_id = ${authorId})`
    : sql<boolean>`${id} = ${articleId}`;
}
