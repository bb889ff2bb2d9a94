/** Reads the contents of an account's export page by page, so that memory use stays small. */
import { type Kysely, sql } from 'kysely';
import { EXPORTED_FIELDS } from '../articles/fields.ts';
import type { DB } from '../db/types.ts';

/** A document can have 1 MiB, and its body as well. */
const ARTICLES_PER_PAGE = 10;
const ROWS_PER_PAGE = 500;

export function readOwnArticles(db: Kysely<DB>, authorId: string) {
  return readPages(
    ARTICLES_PER_PAGE,
    (after, limit) =>
      selectDocuments(db, authorId)
        .$if(after !== null, (query) => query.where('id', '>', after as string))
        .orderBy('id')
        .limit(limit)
        .execute(),
    ({ id }) => id,
  );
}

export function readOwnComments(db: Kysely<DB>, userId: string) {
  return readPages(
    ROWS_PER_PAGE,
    (after, limit) =>
      db
        .selectFrom('comments')
        .innerJoin('articles', 'articles.id', 'comments.articleId')
        .select(['comments.id', 'comments.parentId', 'comments.body', 'comments.createdAt', 'articles.slug'])
        .where('comments.userId', '=', userId)
        .where('comments.deletedAt', 'is', null)
        .$if(after !== null, (query) => query.where('comments.id', '>', after as string))
        .orderBy('comments.id')
        .limit(limit)
        .execute(),
    ({ id }) => id,
  );
}

export function readOwnImages(db: Kysely<DB>, authorId: string) {
  return readPages(
    ROWS_PER_PAGE,
    (after, limit) =>
      db
        .selectFrom('authorImages')
        .innerJoin('images', 'images.hash', 'authorImages.hash')
        .select(['images.hash', 'images.type', 'images.createdAt'])
        .where('authorId', '=', authorId)
        .where('images.hash', '>', after ?? '')
        .orderBy('images.hash')
        .limit(limit)
        .execute(),
    ({ hash }) => hash,
  );
}

/** The rows of all pages. `select` returns the rows after a key, in the order of their keys. */
async function* readPages<Row>(
  length: number,
  select: (after: string | null, limit: number) => Promise<Row[]>,
  getKey: (row: Row) => string,
): AsyncGenerator<Row> {
  for (let after: string | null = null; ; ) {
    const page = await select(after, length);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < length) return;
    after = getKey(last);
  }
}

/** Ordered by title, with the slugs of the parts in order. */
export async function listSeriesWithParts(db: Kysely<DB>, authorId: string) {
  const { rows } = await sql<{ id: string; title: string; createdAt: Date; slugs: string[] }>`
    select s.id, s.title, s.created_at, coalesce(array_agg(a.slug order by a.part_position) filter (where a.id is not null), '{}') as slugs
    from series s left join articles a on a.part_of = s.id and a.deleted_at is null
    where s.author_id = ${authorId} group by s.id order by s.title_key`.execute(db);
  return rows;
}

/** The author's articles with every field that a document is rebuilt from, without deleted ones. */
export function selectDocuments(db: Kysely<DB>, authorId: string) {
  return db
    .selectFrom('articles')
    .select(EXPORTED_FIELDS)
    .select('givenCanonicalUrl as canonicalUrl')
    .where('authorId', '=', authorId)
    .where('deletedAt', 'is', null);
}
