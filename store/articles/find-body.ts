/** The text of a public article, as it is stored: too long for all the reads that do not need it. */
import type { Database } from '../db/database.ts';

/** Undefined where the article is not public, or not any more. */
export async function findPublicBody(db: Database, articleId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('articles')
    .select('body')
    .where('id', '=', articleId)
    .where('status', '=', 'PUBLISHED')
    .executeTakeFirst();
  return row?.body;
}
