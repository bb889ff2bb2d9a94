/** Reads an author's own imports. */
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ArticleStatus } from '../../article/types.ts';
import type { DB } from '../db/types.ts';

/** With its counts; undefined for another user's import. */
export function findOwnImport(db: Kysely<DB>, { userId, importId }: { userId: string; importId: string }) {
  return selectImports(db, userId).where('id', '=', importId).executeTakeFirst();
}

/** Newest first. `after` is the last known import; times have no fractions of a millisecond. */
export function listOwnImports(
  db: Kysely<DB>,
  userId: string,
  { limit, after }: { limit: number; after: { micros: number; id: string } | null },
) {
  return selectImports(db, userId)
    .$if(after !== null, (query) => {
      const { micros, id } = after as NonNullable<typeof after>;
      return query.where(sql<boolean>`(created_at, id) < (${new Date(micros / 1_000)}, ${id}::uuid)`);
    })
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

function selectImports(db: Kysely<DB>, userId: string) {
  const count = (condition: string) =>
    sql<number>`(select count(*)::int from import_items i where i.import_id = imports.id and ${sql.raw(condition)})`;
  return db
    .selectFrom('imports')
    .select([
      'id',
      'source',
      'identifier',
      'state',
      'reason',
      'notices',
      'dryRun',
      'asDraft',
      'images',
      'createdAt',
      'endedAt',
    ])
    .select(['waitsUntil', 'listedItems as listed', sql<boolean>`cursor is null`.as('isListed')])
    .select([count("i.outcome = 'created'").as('created'), count("i.outcome = 'present'").as('present')])
    .select([count("i.outcome = 'refused'").as('refused'), count('i.adopted').as('adopted')])
    .where('userId', '=', userId);
}

export type OwnImport = NonNullable<Awaited<ReturnType<typeof findOwnImport>>>;

/** A page of an import's posts. The caller has checked the import's owner. */
export interface ItemsPage {
  importId: string;
  /** The number of the last known item. */
  after: number | null;
}

/** Items in the order of the source, `limit` per page. One query for any number of pages. */
export async function listImportItems(db: Kysely<DB>, pages: readonly ItemsPage[], limit: number) {
  const importIds = pages.map(({ importId }) => importId);
  const afters = pages.map(({ after }) => after ?? 0);
  const { rows } = await sql<ImportItemRow>`
    select page.index::int as page, i.number, i.title, i.url, i.published_at, i.outcome, i.code, i.reason, i.warnings, i.adopted,
      a.id as article_id, a.slug, a.status
    from unnest(${importIds}::uuid[], ${afters}::int[]) with ordinality as page (import_id, after, index)
    cross join lateral (
      select * from import_items where import_id = page.import_id and number > page.after order by number limit ${limit}
    ) i
    left join articles a on a.id = i.article_id and a.deleted_at is null
    order by page.index, i.number`.execute(db);
  const found: ImportItemRow[][] = pages.map(() => []);
  for (const row of rows) found[row.page - 1]?.push(row);
  return found;
}

export interface ImportItemRow
  extends Pick<
    Selectable<DB['importItems']>,
    'number' | 'title' | 'url' | 'publishedAt' | 'outcome' | 'code' | 'reason' | 'warnings' | 'adopted' | 'articleId'
  > {
  /** From 1, in the order of the requested pages. */
  page: number;
  slug: string | null;
  status: ArticleStatus | null;
}
