/** Notifies the author of a delivery's outcome. */
import type { Transaction } from 'kysely';
import type { DB } from '../db/types.ts';
import { addNotification, buildArticleLink, type NewNotification } from '../notifications/add.ts';
import type { DecidedRow } from './decide.ts';

/** `dedupeKey`: one key notifies at most once. */
export function buildOutcome(
  { authorId: userId, articleId, title: postTitle, destination }: NotifiedRow,
  dedupeKey: string,
  outcome: { sharedUrl: string } | { reason: string },
): NewNotification {
  // The specification's events contain the upper-cased destination key.
  const platform = destination.toUpperCase();
  const common = { userId, link: buildArticleLink(articleId), dedupeKey, now: new Date() };
  return 'reason' in outcome
    ? { ...common, type: 'CROSS_POST_FAILED', payload: { postTitle, platform, ...outcome } }
    : { ...common, type: 'CROSS_POST_SUCCESS', payload: { postTitle, platform, ...outcome } };
}

export type NotifiedRow = Pick<DecidedRow, 'authorId' | 'articleId' | 'title' | 'destination'>;

export function notifyOutcome(tx: Transaction<DB>, ...outcome: Parameters<typeof buildOutcome>): Promise<boolean> {
  return addNotification(tx, buildOutcome(...outcome));
}
