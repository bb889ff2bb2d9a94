/** The notifications that a comment causes. */
import type { Transaction } from 'kysely';
import type { DB } from '../db/types.ts';

/** One notification a comment: of the one to whom it was written. */
export function buildCommentKey(commentId: string): string {
  return `comment:${commentId}`;
}

/** What was taken away before anybody read of it is not announced any more. */
export async function withdrawUnread(tx: Transaction<DB>, commentId: string): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('dedupeKey', 'in', [buildCommentKey(commentId), buildAnswerKey(commentId)])
    .where('readAt', 'is', null)
    .execute();
}

/** One notification a comment, however often it is accepted. */
export function buildAnswerKey(commentId: string): string {
  return `accepted:${commentId}`;
}
