/**
 * Records a batch of page views. The first page view of a visitor on a day counts as a view;
 * reading time counts up to a limit. A batch is one transaction with one update per article, so
 * that a popular article's row does not become a bottleneck.
 */
import { sql, type Transaction } from 'kysely';
import { findLocalDate } from '../calendar/days.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { addPageViewTotals, type CountedPageView } from './add-totals.ts';

export interface PageView {
  slug: string;
  /** Hashes, with the day's salt, of the network and of the presumed reader in it. */
  network: Buffer;
  visitor: Buffer;
  seconds: number;
  /** The referring host; `direct` if there is none. */
  host: string;
}

/** Limits a crowd behind one address, and a single reader who imitates one. */
const MAX_VISITORS_PER_NETWORK = 50;
/** Per reader, article and day: an open page is not necessarily being read. */
const MAX_READING_SECONDS = 30 * 60;

/** `day`: of the salt, in UTC; totals use the author's zone. Ignores articles that are not public. */
export async function recordPageViews(
  db: Database,
  { readings, day, now }: { readings: readonly PageView[]; day: string; now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const articles = await findArticles(tx, readings, now);
    const known = readings.flatMap((reading) => {
      const article = articles.get(reading.slug);
      return article ? [{ ...reading, ...article }] : [];
    });
    if (known.length === 0) return;
    await addPageViewTotals(tx, await countVisitors(tx, day, known));
  });
}

interface LocatedPageView extends PageView {
  articleId: string;
  authorId: string;
  localDay: string;
}

async function findArticles(tx: Transaction<DB>, readings: readonly PageView[], now: Date) {
  const slugs = [...new Set(readings.map(({ slug }) => slug))];
  const rows = await tx
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .innerJoin('digestSettings', 'digestSettings.userId', 'articles.authorId')
    .select(['articles.id', 'articles.authorId', 'articles.slug', 'digestSettings.zone'])
    .where('articles.slug', 'in', slugs)
    .where('articles.status', '=', 'PUBLISHED')
    .where('users.suspendedAt', 'is', null)
    .execute();
  return new Map(
    rows.map(({ id, authorId, slug, zone }) => [slug, { articleId: id, authorId, localDay: findLocalDate(now, zone) }]),
  );
}

/** Decides what counts of each. Locks rows in order, so that instances do not deadlock. */
async function countVisitors(
  tx: Transaction<DB>,
  day: string,
  readings: readonly LocatedPageView[],
): Promise<CountedPageView[]> {
  const { rows } = await sql<{ at: number; isView: boolean; seconds: number }>`
    with given as (
      select * from unnest(${readings.map(({ articleId }) => articleId)}::uuid[], ${readings.map(({ network }) => network)}::bytea[],
        ${readings.map(({ visitor }) => visitor)}::bytea[], ${readings.map(({ seconds }) => seconds)}::int[])
        with ordinality as g (article_id, network, visitor, seconds, at)
    ), known as (
      select g.*, v.seconds as before
      from given g left join reading_visitors v
        on v.day = ${day} and v.article_id = g.article_id and v.network = g.network and v.visitor = g.visitor
    ), placed as (
      select k.*, row_number() over (partition by article_id, network, before is null order by visitor)
        + (select count(*) from reading_visitors v where v.day = ${day} and v.article_id = k.article_id and v.network = k.network) as place
      from known k
    ), taken as (
      select *, least(seconds, ${MAX_READING_SECONDS} - coalesce(before, 0)) as added from placed
      where before is not null or place <= ${MAX_VISITORS_PER_NETWORK}
    ), written as (
      insert into reading_visitors as v (day, article_id, network, visitor, seconds)
      select ${day}::date, article_id, network, visitor, added from taken order by article_id, network, visitor
      on conflict (day, article_id, network, visitor) do update set seconds = v.seconds + excluded.seconds
      returning article_id, network, visitor, xmax = 0 as is_view
    )
    select at::int, is_view, added as seconds from taken join written using (article_id, network, visitor)`.execute(tx);
  return rows.flatMap(({ at, isView, seconds }) => {
    const reading = readings[at - 1];
    return reading ? [{ ...reading, views: isView ? 1 : 0, seconds }] : [];
  });
}
