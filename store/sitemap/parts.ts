/**
 * Lists the parts of the sitemap that have a page. Each part takes a few index steps, whatever its
 * size.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { type ListKind, selectArticles, selectLists } from './pages.ts';

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
