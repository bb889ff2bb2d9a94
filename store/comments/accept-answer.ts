/** Marks the comment that solves an article's question. One per article, chosen by its author. */
import type { Transaction } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';
import { addNotification, toActorName } from '../notifications/add.ts';
import { lockActiveUser } from '../users/lock-user.ts';
import { isNotSuspended } from '../users/suspensions.ts';
import { buildAnswerKey, restoreNotification } from './notification-keys.ts';

interface AnswerTarget {
  authorId: string;
  commentId: string;
}

/**
 * Moves the mark from the comment that had it. Notifies the writer of the comment once, even if the
 * mark is removed and set again. Throws SUSPENDED, and NOT_FOUND also for a comment that is hidden,
 * deleted or by a suspended user.
 */
export function acceptAnswer(db: Database, { authorId, commentId, now }: AnswerTarget & { now: Date }): Promise<void> {
  return db.transaction().execute(async (tx) => {
    // Serialises two acceptances of one author, so that an article never has two answers.
    const person = await lockActiveUser(tx, authorId);
    const article = isUuid(commentId)
      ? await tx
          .selectFrom('comments')
          .innerJoin('articles', 'articles.id', 'comments.articleId')
          .select(['articles.id', 'articles.slug', 'articles.title'])
          .where('comments.id', '=', commentId)
          .where('articles.authorId', '=', authorId)
          .where('articles.status', '=', 'PUBLISHED')
          .executeTakeFirst()
      : undefined;
    if (!article) throw createNotFoundError();
    await lockAnswers(tx, article.id, commentId);
    await tx
      .updateTable('comments')
      .set({ acceptedAt: null })
      .where('articleId', '=', article.id)
      .where('acceptedAt', 'is not', null)
      .where('id', '!=', commentId)
      .execute();
    const answer = await tx
      .updateTable('comments')
      .set((eb) => ({ acceptedAt: eb.fn.coalesce('acceptedAt', eb.val(now)) }))
      .where('id', '=', commentId)
      .where('deletedAt', 'is', null)
      .where('hiddenAt', 'is', null)
      .where(isNotSuspended('comments.userId'))
      .returning('userId')
      .executeTakeFirst();
    if (!answer) throw createNotFoundError();
    if (answer.userId === null || answer.userId === authorId) return;
    const dedupeKey = buildAnswerKey(commentId);
    const isNew = await addNotification(tx, {
      userId: answer.userId,
      type: 'ACCEPTED_ANSWER',
      payload: { actorName: toActorName(person), postTitle: article.title },
      link: `/${article.slug}#comment-${commentId}`,
      dedupeKey,
      now,
    });
    // A notification of this answer exists, but was withdrawn if the comment was hidden since.
    if (!isNew) await restoreNotification(tx, dedupeKey);
  });
}

/** Locks both answers, the deepest first, as all code does: one may be a reply to the other. */
async function lockAnswers(tx: Transaction<DB>, articleId: string, commentId: string): Promise<void> {
  await tx
    .selectFrom('comments')
    .select('id')
    .where('articleId', '=', articleId)
    .where((eb) => eb.or([eb('id', '=', commentId), eb('acceptedAt', 'is not', null)]))
    .orderBy('path', 'desc')
    .forNoKeyUpdate()
    .execute();
}

/** Removes the mark if the comment has it. Throws NOT_FOUND. */
export async function unacceptAnswer(db: Database, { authorId, commentId }: AnswerTarget): Promise<void> {
  const found = isUuid(commentId)
    ? await db
        .updateTable('comments')
        .from('articles')
        .set({ acceptedAt: null })
        .whereRef('articles.id', '=', 'comments.articleId')
        .where('articles.authorId', '=', authorId)
        .where('comments.id', '=', commentId)
        .returning('comments.id')
        .executeTakeFirst()
    : undefined;
  if (!found) throw createNotFoundError();
}

function createNotFoundError(): RefusedCommandError {
  return new RefusedCommandError('NOT_FOUND', 'You have no public article with such a comment.', 'commentId');
}
