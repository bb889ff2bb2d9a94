/** Stores an imported article again with the addresses of its copied pictures. Delivers nothing. */
import type { Kysely, Transaction } from 'kysely';
import type { ArticleDraft, RenderedArticle } from '../../article/types.ts';
import { buildArticleColumns } from '../articles/publish/article-columns.ts';
import { countStoredBytes, requireStorage } from '../articles/publish/storage.ts';
import type { DB } from '../db/types.ts';

export interface ArticleWithCopies {
  article: UntouchedArticle;
  text: { document: string; draft: ArticleDraft; rendered: RenderedArticle };
  baseUrl: string;
  storageLimit: number;
}

/** Under the author's lock. False if the article was changed meanwhile. Throws STORAGE_FULL. */
export async function storeImageCopies(
  tx: Transaction<DB>,
  authorId: string,
  { article, text, baseUrl, storageLimit }: ArticleWithCopies,
): Promise<boolean> {
  const { id, slug, source, revision, ...state } = article;
  const { draft, rendered, document: documentText } = text;
  const sources = { draft, rendered, source: documentText, documentSource: null, syndicate: true, baseUrl };
  const { externalId: _, givenSlug: __, ...columns } = buildArticleColumns(sources, state, slug);
  const [oldBytes, newBytes] = [Buffer.byteLength(source), Buffer.byteLength(documentText)];
  const { storedBytes: usedBytes } = await tx
    .selectFrom('users')
    .select('storedBytes')
    .where('id', '=', authorId)
    .executeTakeFirstOrThrow();
  requireStorage({ usedBytes, oldBytes, newBytes }, storageLimit);
  const { numUpdatedRows } = await tx
    .updateTable('articles')
    .set({ ...columns, imported: true, revision: revision + 1 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('imported', '=', true)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await countStoredBytes(tx, authorId, newBytes - oldBytes);
  return true;
}

export async function findUntouched(db: Kysely<DB>, articleId: string) {
  const row = await db
    .selectFrom('articles')
    .select(['id', 'slug', 'source', 'revision', 'status', 'scheduledAt', 'publishedAt'])
    .where('id', '=', articleId)
    .where('imported', '=', true)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

export type UntouchedArticle = NonNullable<Awaited<ReturnType<typeof findUntouched>>>;
