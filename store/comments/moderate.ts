/** Moderation of comments by the author of their article. */

import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import { isStorableName, isUuid } from '../db/valid-keys.ts';
import { buildCommentKey, restoreNotification, withdrawUnread } from './notification-keys.ts';

/** Shows the text to its writer and the author only; removes an answer mark. Throws NOT_FOUND. */
export function hideComment(db: Database, target: { authorId: string; commentId: string; now: Date }): Promise<void> {
  const { commentId, now } = target;
  return db.transaction().execute(async (tx) => {
    const hidden = await tx
      .updateTable('comments')
      .from('articles')
      .set((eb) => ({ hiddenAt: eb.fn.coalesce('comments.hiddenAt', eb.val(now)), acceptedAt: null }))
      .whereRef('articles.id', '=', 'comments.articleId')
      .where('articles.authorId', '=', target.authorId)
      .where('comments.id', '=', requireId(commentId))
      .where('comments.deletedAt', 'is', null)
      .returning('comments.id')
      .executeTakeFirst();
    if (!hidden) throw createNotFoundError();
    await withdrawUnread(tx, commentId, now);
  });
}

/** Restores the notification, but not the mark of an accepted answer. Throws NOT_FOUND. */
export function unhideComment(db: Database, target: { authorId: string; commentId: string }): Promise<void> {
  const { commentId } = target;
  return db.transaction().execute(async (tx) => {
    const shown = await tx
      .updateTable('comments')
      .from('articles')
      .set({ hiddenAt: null })
      .whereRef('articles.id', '=', 'comments.articleId')
      .where('articles.authorId', '=', target.authorId)
      .where('comments.id', '=', requireId(commentId))
      .where('comments.deletedAt', 'is', null)
      .returning('comments.id')
      .executeTakeFirst();
    if (!shown) throw createNotFoundError();
    await restoreNotification(tx, buildCommentKey(commentId));
  });
}

/** Rejects new and edited comments. The article does not change. Throws NOT_FOUND. */
export async function lockComments(db: Database, target: { authorId: string; slug: string; now: Date }): Promise<void> {
  await setLock(db, target, target.now);
}

/** Throws NOT_FOUND. */
export async function unlockComments(db: Database, target: { authorId: string; slug: string }): Promise<void> {
  await setLock(db, target, null);
}

async function setLock(db: Database, { authorId, slug }: { authorId: string; slug: string }, at: Date | null) {
  const { numUpdatedRows } = await db
    .updateTable('articles')
    .set({ commentsLockedAt: at })
    .where('slug', '=', isStorableName(slug) ? slug : '')
    .where('authorId', '=', authorId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw new RefusedCommandError('NOT_FOUND', 'You have no such article.', 'slug');
  }
}

function requireId(commentId: string): string {
  if (!isUuid(commentId)) throw createNotFoundError();
  return commentId;
}

function createNotFoundError(): RefusedCommandError {
  return new RefusedCommandError('NOT_FOUND', 'Your articles have no such comment.', 'id');
}
