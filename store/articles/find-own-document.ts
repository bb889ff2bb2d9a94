/** An article of one's own with all that its document is restored from. */
import type { Database } from '../db/database.ts';
import { selectDocuments } from '../users/export-rows.ts';

/** Undefined for anybody else's, and for a deleted one. */
export async function findOwnDocument(db: Database, { authorId, articleId }: { authorId: string; articleId: string }) {
  return selectDocuments(db, authorId).select('fingerprint').where('id', '=', articleId).executeTakeFirst();
}
