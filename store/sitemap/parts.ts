/** Of which parts the sitemap consists: only those that have a page. Each costs a few steps in an index, whatever it holds. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { type ListKind, selectArticles, selectLists } from './pages.ts';

export interface ArticlePart {
  part: number;
  /** When one of its articles last changed. */
  changedAt: Date;
}

export async function listArticleParts(db: Kysely<DB>): Promise<ArticlePart[]> {
  const next = (after: number | ReturnType<typeof sql>) => sql`(select sitemap_place / 10000 as part from articles
    where status = 'PUBLISHED' and sitemap_place / 10000 > ${after} order by sitemap_place / 10000 limit 1)`;
  const { rows } = await sql<ArticlePart>`
    with recursive parts (part) as (
      ${next(-1)}
      union all
      select (${next(sql`parts.part`)}) from parts where parts.part is not null
    )
    select part, (select updated_at from articles where status = 'PUBLISHED' and sitemap_place / 10000 = part
      order by updated_at desc limit 1) as changed_at
    from parts where part is not null and exists (select ${selectArticles(sql`parts.part`)})`.execute(db);
  return rows;
}

export async function listListParts(db: Kysely<DB>, kind: ListKind): Promise<number[]> {
  const next = (after: number | ReturnType<typeof sql>) => sql`(select place / 10000 as part from sitemap_lists
    where kind = ${kind} and place / 10000 > ${after} order by place / 10000 limit 1)`;
  const { rows } = await sql<{ part: number }>`
    with recursive parts (part) as (
      ${next(-1)}
      union all
      select (${next(sql`parts.part`)}) from parts where parts.part is not null
    )
    select part from parts where part is not null and exists (select ${selectLists(kind, sql`parts.part`)})`.execute(
    db,
  );
  return rows.map(({ part }) => part);
}
