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

/** How many of an article's notices are kept in sight. */
const SHOWN = 50;

/** Of each of these articles the newest, newest first. */
export function listArticleNotices(db: Kysely<DB>, articleIds: readonly string[]) {
  return db
    .selectFrom('articles')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('articleNotices')
          .select(['articleNotices.articleId', 'code', 'message', 'articleNotices.createdAt'])
          .whereRef('articleNotices.articleId', '=', 'articles.id')
          .orderBy('articleNotices.createdAt', 'desc')
          .limit(SHOWN)
          .as('notices'),
      (join) => join.onTrue(),
    )
    .select(['notices.articleId', 'notices.code', 'notices.message', 'notices.createdAt'])
    .where('articles.id', 'in', articleIds)
    .orderBy('notices.createdAt', 'desc')
    .execute();
}
