/** Moderation of comments by the author of their article. */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { isStorableName, isUuid } from '../db/valid-keys.ts';
import { buildCommentKey, restoreNotification, withdrawUnread } from './notification-keys.ts';

/** Shows the text to its writer and the author only; removes an answer mark. Throws NOT_FOUND. */
export function hideComment(db: Database, target: { authorId: string; commentId: string; now: Date }): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await updateComment(tx, target, {
      hiddenAt: sql<Date>`coalesce(comments.hidden_at, ${target.now})`,
      acceptedAt: null,
    });
    await withdrawUnread(tx, target.commentId, target.now);
  });
}

/** Restores the notification, but not the mark of an accepted answer. Throws NOT_FOUND. */
export function unhideComment(db: Database, target: { authorId: string; commentId: string }): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await updateComment(tx, target, { hiddenAt: null });
    await restoreNotification(tx, buildCommentKey(target.commentId));
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

async function updateComment(
  tx: Transaction<DB>,
  { authorId, commentId }: { authorId: string; commentId: string },
  columns: { hiddenAt: RawBuilder<Date> | null; acceptedAt?: null },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('comments')
    .from('articles')
    .set(columns)
    .whereRef('articles.id', '=', 'comments.articleId')
    .where('articles.authorId', '=', authorId)
    .where('comments.id', '=', requireId(commentId))
    .where('comments.deletedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw createNotFoundError();
}

function requireId(commentId: string): string {
  if (!isUuid(commentId)) throw createNotFoundError();
  return commentId;
}

function createNotFoundError(): RefusedCommandError {
  return new RefusedCommandError('NOT_FOUND', 'Your articles have no such comment.', 'id');
}
