/**
 * Adds readings to the totals: of the article by day and by month, of its author by day, and where readers came from. Every transaction takes its
 * locks in the order of the statements here and of the keys in each, so that instances do not deadlock.
 */
import { sql, type Transaction } from 'kysely';
import type { DB } from '../db/types.ts';

export interface CountedReading {
  articleId: string;
  authorId: string;
  /** In the author's zone. */
  localDay: string;
  views: number;
  seconds: number;
  /** Where the reader came from; null where nobody asked. */
  host: string | null;
}

/** Hosts of one day; what is beyond them is counted as `other`. */
const HOSTS_OF_ARTICLE = 100;
const HOSTS_OF_AUTHOR = 500;

export async function addReadingTotals(tx: Transaction<DB>, counted: readonly CountedReading[]): Promise<void> {
  const byMonth = counted.map((reading) => ({ ...reading, localDay: `${reading.localDay.slice(0, 7)}-01` }));
  await addViews(tx, { table: 'articleDays', owner: 'articleId', day: 'day' }, counted);
  await addViews(tx, { table: 'articleMonths', owner: 'articleId', day: 'month' }, byMonth);
  await addViews(tx, { table: 'authorDays', owner: 'authorId', day: 'day' }, counted);
  await addHosts(tx, { table: 'articleDayHosts', owner: 'articleId', most: HOSTS_OF_ARTICLE }, counted);
  await addHosts(tx, { table: 'authorDayHosts', owner: 'authorId', most: HOSTS_OF_AUTHOR }, counted);
}

type Owner = 'articleId' | 'authorId';

async function addViews(
  tx: Transaction<DB>,
  place: { table: 'articleDays' | 'articleMonths' | 'authorDays'; owner: Owner; day: 'day' | 'month' },
  counted: readonly CountedReading[],
): Promise<void> {
  const [table, owner, day] = [sql.table(place.table), sql.ref(place.owner), sql.ref(place.day)];
  await sql`
    insert into ${table} as d (${owner}, ${day}, views, reading_seconds)
    select owner, day, sum(views), sum(seconds) from unnest(${counted.map((one) => one[place.owner])}::uuid[],
      ${counted.map(({ localDay }) => localDay)}::date[], ${counted.map(({ views }) => views)}::int[],
      ${counted.map(({ seconds }) => seconds)}::bigint[]) as g (owner, day, views, seconds)
    group by owner, day order by owner, day
    on conflict (${owner}, ${day}) do update
      set views = d.views + excluded.views, reading_seconds = d.reading_seconds + excluded.reading_seconds`.execute(tx);
}

async function addHosts(
  tx: Transaction<DB>,
  place: { table: 'articleDayHosts' | 'authorDayHosts'; owner: Owner; most: number },
  counted: readonly CountedReading[],
): Promise<void> {
  const [table, owner] = [sql.table(place.table), sql.ref(place.owner)];
  const known = counted.filter(({ host, views }) => host !== null && views > 0);
  await sql`
    with given as (
      select owner, day, host, sum(views) as views from unnest(${known.map((one) => one[place.owner])}::uuid[],
        ${known.map(({ localDay }) => localDay)}::date[], ${known.map(({ host }) => host)}::text[],
        ${known.map(({ views }) => views)}::int[]) as g (owner, day, host, views)
      group by owner, day, host
    ), known as (
      select g.*, exists (select 1 from ${table} h where (h.${owner}, h.day, h.host) = (g.owner, g.day, g.host)) as is_known
      from given g
    ), bounded as (
      select owner, day, views, case when is_known
          or (select count(*) from ${table} h where (h.${owner}, h.day) = (k.owner, k.day))
            + row_number() over (partition by owner, day, is_known order by host) <= ${place.most}
        then host else 'other' end as host
      from known k
    )
    insert into ${table} as d (${owner}, day, host, views)
    select owner, day, host, sum(views) from bounded group by owner, day, host order by owner, day, host
    on conflict (${owner}, day, host) do update set views = d.views + excluded.views`.execute(tx);
}
