/** Finds an article unchanged since its import: its author has neither published nor deleted it. */
import type { Kysely } from 'kysely';
import type { DB } from '../db/types.ts';

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
