/**
 * Adds page views to the totals: per article by day and month, per author by day, and per referring
 * host. All transactions lock rows in the order of these statements and of their keys, so that
 * instances do not deadlock.
 */
import { sql, type Transaction } from 'kysely';
import type { DB } from '../db/types.ts';

export interface CountedPageView {
  articleId: string;
  authorId: string;
  /** In the author's zone. */
  localDay: string;
  views: number;
  seconds: number;
  /** The referring host; null if it was not requested. */
  host: string | null;
}

/** Hosts per day. Further hosts are counted as `other`. */
const MAX_HOSTS_PER_ARTICLE = 100;
const MAX_HOSTS_PER_AUTHOR = 500;

export async function addPageViewTotals(tx: Transaction<DB>, counted: readonly CountedPageView[]): Promise<void> {
  const byMonth = counted.map((pageView) => ({ ...pageView, localDay: `${pageView.localDay.slice(0, 7)}-01` }));
  await addViews(tx, { table: 'articleDays', owner: 'articleId', day: 'day' }, counted);
  await addViews(tx, { table: 'articleMonths', owner: 'articleId', day: 'month' }, byMonth);
  await addViews(tx, { table: 'authorDays', owner: 'authorId', day: 'day' }, counted);
  await addHosts(tx, { table: 'articleDayHosts', owner: 'articleId', maxHosts: MAX_HOSTS_PER_ARTICLE }, counted);
  await addHosts(tx, { table: 'authorDayHosts', owner: 'authorId', maxHosts: MAX_HOSTS_PER_AUTHOR }, counted);
}

type Owner = 'articleId' | 'authorId';

async function addViews(
  tx: Transaction<DB>,
  target: { table: 'articleDays' | 'articleMonths' | 'authorDays'; owner: Owner; day: 'day' | 'month' },
  counted: readonly CountedPageView[],
): Promise<void> {
  const [table, owner, day] = [sql.table(target.table), sql.ref(target.owner), sql.ref(target.day)];
  await sql`
    insert into ${table} as d (${owner}, ${day}, views, reading_seconds)
    select owner, day, sum(views), sum(seconds) from unnest(${counted.map((pageView) => pageView[target.owner])}::uuid[],
      ${counted.map(({ localDay }) => localDay)}::date[], ${counted.map(({ views }) => views)}::int[],
      ${counted.map(({ seconds }) => seconds)}::bigint[]) as g (owner, day, views, seconds)
    group by owner, day order by owner, day
    on conflict (${owner}, ${day}) do update
      set views = d.views + excluded.views, reading_seconds = d.reading_seconds + excluded.reading_seconds`.execute(tx);
}

async function addHosts(
  tx: Transaction<DB>,
  target: { table: 'articleDayHosts' | 'authorDayHosts'; owner: Owner; maxHosts: number },
  counted: readonly CountedPageView[],
): Promise<void> {
  const [table, owner] = [sql.table(target.table), sql.ref(target.owner)];
  const known = counted.filter(({ host, views }) => host !== null && views > 0);
  await sql`
    with given as (
      select owner, day, host, sum(views) as views from unnest(${known.map((pageView) => pageView[target.owner])}::uuid[],
        ${known.map(({ localDay }) => localDay)}::date[], ${known.map(({ host }) => host)}::text[],
        ${known.map(({ views }) => views)}::int[]) as g (owner, day, host, views)
      group by owner, day, host
    ), known as (
      select g.*, exists (select 1 from ${table} h where (h.${owner}, h.day, h.host) = (g.owner, g.day, g.host)) as is_known
      from given g
    ), bounded as (
      select owner, day, views, case when is_known
          or (select count(*) from ${table} h where (h.${owner}, h.day) = (k.owner, k.day))
            + row_number() over (partition by owner, day, is_known order by host) <= ${target.maxHosts}
        then host else 'other' end as host
      from known k
    )
    insert into ${table} as d (${owner}, day, host, views)
    select owner, day, host, sum(views) from bounded group by owner, day, host order by owner, day, host
    on conflict (${owner}, day, host) do update set views = d.views + excluded.views`.execute(tx);
}
