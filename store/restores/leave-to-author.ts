/** A post that stands although the restored article is not public: its author has published it since, or not. */
import type { Situation } from '../../delivery/types.ts';
import { addArticleNotice } from '../articles/article-notices.ts';
import type { Database } from '../db/database.ts';

/** Keeps the delivery as it is until its author does something with the article, and says so. Call it before the post is recorded: safe to interrupt. */
export async function leaveToAuthor(
  db: Database,
  { article, delivery, articleId, url, now }: Situation & { articleId: string; url: string; now: Date },
): Promise<void> {
  await db.updateTable('deliveries').set({ skippedDispatch: article.dispatch }).where('id', '=', delivery.id).execute();
  await addArticleNotice(db, {
    articleId,
    code: 'restored_not_public',
    message: `The service was restored from a backup in which this article is not public, but its post stands at ${url}. Publish the article again, or withdraw that copy.`,
    dedupeKey: `restored:${delivery.id}:${url}`,
    now,
  });
}
