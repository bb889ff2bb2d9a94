/** What the author of an article decides about its comments. */

import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import { canBeName, isUuid } from '../db/valid-keys.ts';
import { bringBack, buildCommentKey, withdrawUnread } from './notification-keys.ts';

/** Hidden, its words are shown to nobody but its writer and the article's author; it is no answer any more. Throws NOT_FOUND. */
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

/** The one to whom it was written is told of it as before; it is no answer until it is accepted again. Throws NOT_FOUND. */
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
    await bringBack(tx, buildCommentKey(commentId));
  });
}

/** No comment is added or edited until the author unlocks them. Not a change of the article: nothing is delivered. Throws NOT_FOUND. */
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
    .where('slug', '=', canBeName(slug) ? slug : '')
    .where('authorId', '=', authorId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw new RefusedCommandError('NOT_FOUND', 'There is no such article among yours.', 'slug');
  }
}

function requireId(commentId: string): string {
  if (!isUuid(commentId)) throw createNotFoundError();
  return commentId;
}

function createNotFoundError(): RefusedCommandError {
  return new RefusedCommandError('NOT_FOUND', 'There is no such comment at an article of yours.', 'id');
}
