/** Stores and lists the notices shown with an article, beside its author's notifications. */
import type { Kysely } from 'kysely';
import type { NoticeCode } from '../../article/types.ts';
import type { DeliveryCode } from '../../delivery/delivery-codes.ts';
import type { DB } from '../db/types.ts';

export interface NewArticleNotice {
  articleId: string;
  code: NoticeCode | DeliveryCode;
  message: string;
  /** Identifies the event. A second notice with the same key is not stored. */
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

/** Listed notices per article. */
const MAX_NOTICES_PER_ARTICLE = 50;

/** The newest notices of each article, newest first. */
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
          .limit(MAX_NOTICES_PER_ARTICLE)
          .as('notices'),
      (join) => join.onTrue(),
    )
    .select(['notices.articleId', 'notices.code', 'notices.message', 'notices.createdAt'])
    .where('articles.id', 'in', articleIds)
    .orderBy('notices.createdAt', 'desc')
    .execute();
}
