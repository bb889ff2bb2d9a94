/**
 * Finds when the public articles of the site, or of one author, last changed for readers,
 * withdrawals included. Null if there never was one.
 */
import type { Database } from '../db/database.ts';

export async function findLastChange(db: Database, authorId: string | null = null): Promise<Date | null> {
  const row = await db
    .selectFrom('articleChanges')
    .select('at')
    .$if(authorId !== null, (query) => query.where('authorId', '=', authorId as string))
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at ?? null;
}
