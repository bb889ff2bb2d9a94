/** Edits or deletes a user's own comment. */
import type { Transaction } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';
import { lockActiveUser } from '../users/lock-user.ts';
import type { CommentText } from './add-comment.ts';
import { deleteUnread } from './notification-keys.ts';
import { requireOpen } from './open-comments.ts';

/** Throws SUSPENDED, NOT_FOUND, COMMENTS_CLOSED. The same text again changes nothing. */
export function editComment(
  db: Database,
  edit: CommentText & { userId: string; commentId: string; now: Date },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { userId, commentId, body, html, isQuestion, now } = edit;
    await lockActiveUser(tx, userId);
    const comment = await lockOwnComment(tx, { userId, commentId });
    if (comment.body === body && comment.isQuestion === isQuestion) return;
    requireOpen(comment);
    await tx
      .updateTable('comments')
      .set({ body, html, isQuestion, editedAt: now })
      .where('id', '=', commentId)
      .execute();
  });
}

/**
 * Erases the text. With replies, an empty comment remains until the last of them is deleted.
 * Allowed for suspended users. Does nothing if already deleted; throws NOT_FOUND for another user's
 * comment.
 */
export function deleteComment(db: Database, target: { userId: string; commentId: string; now: Date }): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const comment = await findOwnComment(tx, target);
    if (!comment) throw createNotFoundError();
    await deleteUnread(tx, target.commentId);
    if (await hasReplies(tx, target.commentId)) {
      await tx
        .updateTable('comments')
        .set({ body: '', html: '', isQuestion: false, acceptedAt: null, deletedAt: target.now })
        .where('id', '=', target.commentId)
        .where('deletedAt', 'is', null)
        .execute();
      return;
    }
    await remove(tx, target.commentId, comment.parentId);
  });
}

/** Also removes deleted ancestors without replies. Locks the deepest first, as elsewhere. */
async function remove(tx: Transaction<DB>, commentId: string, parentId: string | null): Promise<void> {
  await tx.deleteFrom('comments').where('id', '=', commentId).execute();
  if (parentId === null) return;
  const parent = await tx
    .selectFrom('comments')
    .select(['parentId', 'deletedAt'])
    .where('id', '=', parentId)
    .forUpdate()
    .executeTakeFirst();
  if (!parent || parent.deletedAt === null || (await hasReplies(tx, parentId))) return;
  await remove(tx, parentId, parent.parentId);
}

/** Call with the comment locked: a reply being written holds a lock on it until it is stored. */
async function hasReplies(tx: Transaction<DB>, commentId: string): Promise<boolean> {
  const reply = await tx.selectFrom('comments').select('id').where('parentId', '=', commentId).executeTakeFirst();
  return reply !== undefined;
}

async function lockOwnComment(tx: Transaction<DB>, target: { userId: string; commentId: string }) {
  const comment = await findOwnComment(tx, target);
  if (!comment || comment.deletedAt !== null) throw createNotFoundError();
  return comment;
}

async function findOwnComment(tx: Transaction<DB>, { userId, commentId }: { userId: string; commentId: string }) {
  if (!isUuid(commentId)) return undefined;
  return tx
    .selectFrom('comments')
    .innerJoin('articles', 'articles.id', 'comments.articleId')
    .select(['comments.parentId', 'comments.body', 'comments.isQuestion', 'comments.deletedAt'])
    .select(['articles.commentsEnabled', 'articles.commentsLockedAt'])
    .where('comments.id', '=', commentId)
    .where('comments.userId', '=', userId)
    .forUpdate('comments')
    .executeTakeFirst();
}

function createNotFoundError(): RefusedCommandError {
  return new RefusedCommandError('NOT_FOUND', 'You have no such comment.', 'id');
}
