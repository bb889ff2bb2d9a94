/** Dedupe keys of a comment's notifications, and their removal while it is hidden or deleted. */
import type { Transaction } from 'kysely';
import type { DB } from '../db/types.ts';

/** One notification per comment, for its recipient. */
export function buildCommentKey(commentId: string): string {
  return `comment:${commentId}`;
}

/** One notification per comment, however often it is accepted. */
export function buildAnswerKey(commentId: string): string {
  return `accepted:${commentId}`;
}

/** Deletes the unread notifications of a deleted comment. */
export async function deleteUnread(tx: Transaction<DB>, commentId: string): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('dedupeKey', 'in', [buildCommentKey(commentId), buildAnswerKey(commentId)])
    .where('readAt', 'is', null)
    .execute();
}

/** Withdraws the unread notifications of a hidden comment until it is shown again. */
export async function withdrawUnread(tx: Transaction<DB>, commentId: string, now: Date): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ withdrawnAt: now })
    .where('dedupeKey', 'in', [buildCommentKey(commentId), buildAnswerKey(commentId)])
    .where('readAt', 'is', null)
    .where('withdrawnAt', 'is', null)
    .execute();
}

/** Shows it again, unread, at its position. Not announced: open streams received it before. */
export async function restoreNotification(tx: Transaction<DB>, dedupeKey: string): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ withdrawnAt: null })
    .where('dedupeKey', '=', dedupeKey)
    .where('withdrawnAt', 'is not', null)
    .execute();
}
