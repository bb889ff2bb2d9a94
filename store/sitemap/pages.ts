/** Lists the pages in each part of the sitemap. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { type ArticleList, selectNewest } from '../lists/article-list.ts';

/** Kinds of lists. A key in `sitemap_lists` is an id, or the tag itself. */
export type ListKind = 'author' | 'tag' | 'series';

export interface SitemapPage {
  /** An article's slug, an author's user name, a tag or a series id. */
  name: string;
  changedAt: Date;
}

/** At most 10,000 articles, with their canonical address on this site. */
export async function listSitemapArticles(db: Kysely<DB>, part: number): Promise<SitemapPage[]> {
  const { rows } = await sql<SitemapPage>`
    select articles.slug as name, articles.updated_at as changed_at ${selectArticles(part)} order by articles.sitemap_place`.execute(
    db,
  );
  return rows;
}

/** At most 10,000 lists, each with the time of its newest article. */
export async function listSitemapLists(db: Kysely<DB>, kind: ListKind, part: number): Promise<SitemapPage[]> {
  const { rows } = await sql<SitemapPage>`
    select ${NAMES[kind]} as name, newest.published_at as changed_at ${selectLists(kind, part)} order by sitemap_lists.place`.execute(
    db,
  );
  return rows;
}

type Part = number | RawBuilder<unknown>;

/** Suspended authors are read once: PostgreSQL would join them ten thousand times. */
export function selectArticles(part: Part): RawBuilder<unknown> {
  return sql`from articles where articles.status = 'PUBLISHED' and articles.sitemap_place / 10000 = ${part}
    and articles.is_canonical and articles.canonical_key = 'self:' || articles.slug
    and articles.author_id <> all (array(select id from users where suspended_at is not null))`;
}

export function selectLists(kind: ListKind, part: Part): RawBuilder<unknown> {
  return sql`from sitemap_lists cross join lateral (
      select articles.published_at, users.username ${selectNewest(LISTS[kind])} limit 1) as newest
    where sitemap_lists.kind = ${kind} and sitemap_lists.place / 10000 = ${part}`;
}

const LISTS: Record<ListKind, ArticleList> = {
  author: { kind: 'author', authorId: sql`sitemap_lists.key::uuid` },
  tag: { kind: 'tag', tag: sql`sitemap_lists.key` },
  series: { kind: 'series', seriesId: sql`sitemap_lists.key::uuid` },
};

const NAMES: Record<ListKind, RawBuilder<unknown>> = {
  author: sql`newest.username`,
  tag: sql`sitemap_lists.key`,
  series: sql`sitemap_lists.key`,
};

export interface ArticlePart {
  part: number;
  /** When one of its articles last changed. */
  changedAt: Date;
}

export async function listArticleParts(db: Kysely<DB>): Promise<ArticlePart[]> {
  const parts = walkParts(
    (after) => sql`select sitemap_place / 10000 as part from articles
      where status = 'PUBLISHED' and sitemap_place / 10000 > ${after} order by sitemap_place / 10000 limit 1`,
  );
  const { rows } = await sql<ArticlePart>`${parts}
    select part, (select updated_at from articles where status = 'PUBLISHED' and sitemap_place / 10000 = part
      order by updated_at desc limit 1) as changed_at
    from parts where part is not null and (select true ${selectArticles(sql`parts.part`)} limit 1)`.execute(db);
  return rows;
}

export async function listPartsOfLists(db: Kysely<DB>, kind: ListKind): Promise<number[]> {
  const parts = walkParts(
    (after) => sql`select place / 10000 as part from sitemap_lists
      where kind = ${kind} and place / 10000 > ${after} order by place / 10000 limit 1`,
  );
  const { rows } = await sql<{ part: number }>`${parts}
    select part from parts where part is not null and (select true ${selectLists(kind, sql`parts.part`)} limit 1)`.execute(
    db,
  );
  return rows.map(({ part }) => part);
}

/** Steps through the index from one existing part number to the next. The last row is null. */
function walkParts(selectNext: (after: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`with recursive parts (part) as (
      (${selectNext(sql`-1`)})
      union all
      select (${selectNext(sql`parts.part`)}) from parts where parts.part is not null
    )`;
}
