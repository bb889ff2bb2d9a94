/** Notices shown with an article: what its author should know beside the notifications of the specification. */
import type { Kysely } from 'kysely';
import type { DB } from '../db/types.ts';

export interface NewArticleNotice {
  articleId: string;
  code: string;
  message: string;
  /** Names the event; a second notice with the same key is not written. */
  dedupeKey: string;
  now: Date;
}

export async function addArticleNotice(db: Kysely<DB>, { now, ...notice }: NewArticleNotice): Promise<void> {
  await db
    .insertInto('articleNotices')
    .values({ ...notice, createdAt: now })
    .onConflict((conflict) => conflict.column('dedupeKey').doNothing())
    .execute();
}

/** Newest first. */
export function listArticleNotices(db: Kysely<DB>, articleId: string) {
  return db
    .selectFrom('articleNotices')
    .select(['code', 'message', 'createdAt'])
    .where('articleId', '=', articleId)
    .orderBy('createdAt', 'desc')
    .limit(50)
    .execute();
}
