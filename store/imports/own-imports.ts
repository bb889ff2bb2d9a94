/** Imports as their author follows them: nobody else's. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

/** With its counts; undefined for anybody else's. */
export function findOwnImport(db: Kysely<DB>, { userId, importId }: { userId: string; importId: string }) {
  return selectImports(db, userId).where('id', '=', importId).executeTakeFirst();
}

/** The newest first. `after` is the last that is known; times have no parts of a millisecond. */
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

/** In the order of the source. `after` is the number of the last that is known. Of an import whose owner has been checked. */
export function listImportItems(
  db: Kysely<DB>,
  importId: string,
  { limit, after }: { limit: number; after: number | null },
) {
  return db
    .selectFrom('importItems')
    .leftJoin('articles', (join) =>
      join.onRef('articles.id', '=', 'importItems.articleId').on('articles.deletedAt', 'is', null),
    )
    .select([
      'number',
      'importItems.title',
      'url',
      'importItems.publishedAt',
      'outcome',
      'code',
      'reason',
      'warnings',
      'adopted',
    ])
    .select(['articles.id as articleId', 'articles.slug', 'articles.status'])
    .where('importId', '=', importId)
    .where('number', '>', after ?? 0)
    .orderBy('number')
    .limit(limit)
    .execute();
}

export type ImportItemRow = Awaited<ReturnType<typeof listImportItems>>[number];
