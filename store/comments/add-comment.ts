/** Adds a comment or a reply to a public article and notifies its recipient. */
import type { Transaction } from 'kysely';
import { requirePublicArticle } from '../articles/find-public.ts';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';
import { addNotification, toActorName } from '../notifications/add.ts';
import { lockActiveUser } from '../users/lock-user.ts';
import { isNotSuspended } from '../users/suspensions.ts';
import { buildCommentKey } from './notification-keys.ts';
import { requireOpen } from './open-comments.ts';

export interface CommentText {
  /** Markdown, cleaned. */
  body: string;
  /** Rendered and sanitised. */
  html: string;
  isQuestion: boolean;
}

export interface NewComment extends CommentText {
  userId: string;
  slug: string;
  parentId: string | null;
  now: Date;
}

/** Counts from 0. Deeper replies do not fit on a page. */
export const MAX_DEPTH = 7;
/** The same text at the same parent within this time is a repeated request. */
const REPEAT_WINDOW_MS = 10 * 60_000;

/** Idempotent. Throws SUSPENDED, NOT_FOUND, COMMENTS_CLOSED, THREAD_TOO_DEEP. */
export async function addComment(db: Database, comment: NewComment): Promise<{ id: string }> {
  if (comment.parentId !== null && !isUuid(comment.parentId)) throw createGoneError();
  return db.transaction().execute(async (tx) => {
    const person = await lockActiveUser(tx, comment.userId);
    const article = await requirePublicArticle(tx, comment.slug);
    const repeated = await findRepeated(tx, article.id, comment);
    if (repeated) return repeated;
    requireOpen(article);
    const parent = comment.parentId === null ? null : await lockParent(tx, article.id, comment.parentId);
    const { userId, parentId, body, html, isQuestion, now } = comment;
    const { id } = await tx
      .insertInto('comments')
      .values({ articleId: article.id, userId, parentId, body, html, isQuestion, createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    const recipient = parent === null ? article.authorId : parent.userId;
    if (recipient === null || recipient === userId) return { id };
    await addNotification(tx, {
      userId: recipient,
      type: parent === null ? 'NEW_COMMENT' : 'COMMENT_REPLY',
      payload: { actorName: toActorName(person), postTitle: article.title },
      link: `/${article.slug}#comment-${id}`,
      dedupeKey: buildCommentKey(id),
      now,
    });
    return { id };
  });
}

function findRepeated(tx: Transaction<DB>, articleId: string, { userId, parentId, body, now }: NewComment) {
  return tx
    .selectFrom('comments')
    .select('id')
    .where('userId', '=', userId)
    .where('createdAt', '>', new Date(now.getTime() - REPEAT_WINDOW_MS))
    .where('articleId', '=', articleId)
    .where('parentId', 'is not distinct from', parentId)
    .where('body', '=', body)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
}

/** Locks the parent, so that it is not removed before the reply is stored. */
async function lockParent(tx: Transaction<DB>, articleId: string, parentId: string) {
  const parent = await tx
    .selectFrom('comments')
    .select(['userId', 'depth', 'deletedAt', 'hiddenAt'])
    .where('id', '=', parentId)
    .where('articleId', '=', articleId)
    .where(isNotSuspended('comments.userId'))
    .forKeyShare()
    .executeTakeFirst();
  if (!parent || parent.deletedAt !== null || parent.hiddenAt !== null) throw createGoneError();
  if (parent.depth >= MAX_DEPTH) {
    const message = `A thread is at most ${MAX_DEPTH + 1} comments deep. Reply to a comment further up.`;
    throw new RefusedCommandError('THREAD_TOO_DEEP', message, 'parentId');
  }
  return parent;
}

function createGoneError(): RefusedCommandError {
  return new RefusedCommandError(
    'NOT_FOUND',
    'The comment that this replies to does not exist, or no longer exists.',
    'parentId',
  );
}
