/** Handles a live post of an article that is not public in the backup: its author decides. */
import type { Situation } from '../../delivery/types.ts';
import { addArticleNotice } from '../articles/article-notices.ts';
import type { Database } from '../db/database.ts';

/**
 * Skips the delivery until its author acts, and adds a notice. Call it before recording the post,
 * so that an interrupted restore can run again.
 */
export async function skipForAuthor(
  db: Database,
  { article, delivery, articleId, url, now }: Situation & { articleId: string; url: string; now: Date },
): Promise<void> {
  await db.updateTable('deliveries').set({ skippedDispatch: article.dispatch }).where('id', '=', delivery.id).execute();
  await addArticleNotice(db, {
    articleId,
    code: 'restored_not_public',
    message: `The service was restored from a backup in which this article is not public, but its copy is still live at ${url}. Publish the article again, or withdraw that copy.`,
    dedupeKey: `restored:${delivery.id}:${url}`,
    now,
  });
}
