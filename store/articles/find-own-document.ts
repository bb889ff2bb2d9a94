/** Reads an author's article with every field that its document is rebuilt from. */
import type { Database } from '../db/database.ts';
import { selectDocuments } from '../users/export-rows.ts';

/** Undefined for another author's article and for a deleted one. */
export async function findOwnDocument(db: Database, { authorId, articleId }: { authorId: string; articleId: string }) {
  return selectDocuments(db, authorId).select('fingerprint').where('id', '=', articleId).executeTakeFirst();
}
