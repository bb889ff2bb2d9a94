/** Reads the text of a public article. Other queries leave it out because of its size. */
import type { Database } from '../db/database.ts';

/** Undefined if the article is not public. */
export async function findPublicBody(db: Database, articleId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('articles')
    .select('body')
    .where('id', '=', articleId)
    .where('status', '=', 'PUBLISHED')
    .executeTakeFirst();
  return row?.body;
}
