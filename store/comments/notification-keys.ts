/** The notifications that a comment causes, and what becomes of them while it is hidden and once it is deleted. */
import type { Transaction } from 'kysely';
import type { DB } from '../db/types.ts';

/** One notification a comment: of the one to whom it was written. */
export function buildCommentKey(commentId: string): string {
  return `comment:${commentId}`;
}

/** One notification a comment, however often it is accepted. */
export function buildAnswerKey(commentId: string): string {
  return `accepted:${commentId}`;
}

/** What is deleted before anybody read of it is told to nobody any more. */
export async function deleteUnread(tx: Transaction<DB>, commentId: string): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('dedupeKey', 'in', [buildCommentKey(commentId), buildAnswerKey(commentId)])
    .where('readAt', 'is', null)
    .execute();
}

/** What is hidden before anybody read of it is told to nobody until it is shown again. */
export async function withdrawUnread(tx: Transaction<DB>, commentId: string, now: Date): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ withdrawnAt: now })
    .where('dedupeKey', 'in', [buildCommentKey(commentId), buildAnswerKey(commentId)])
    .where('readAt', 'is', null)
    .where('withdrawnAt', 'is', null)
    .execute();
}

/** It is unread again at its place in the list, and not announced: whoever had a stream open then has heard of it. */
export async function bringBack(tx: Transaction<DB>, dedupeKey: string): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ withdrawnAt: null })
    .where('dedupeKey', '=', dedupeKey)
    .where('withdrawnAt', 'is not', null)
    .execute();
}
