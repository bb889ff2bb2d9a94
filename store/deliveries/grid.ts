/** What became of an author's articles at their destinations, as the desk shows it and as its commands depend on. */
import { type Kysely, sql } from 'kysely';
import type { DeliveryAction } from '../../delivery/types.ts';
import type { DB } from '../db/types.ts';
import { isLive, isPerhapsBack } from './copies.ts';

export type GridDelivery = Awaited<ReturnType<typeof listGridDeliveries>>[number];

/** Of one's own articles only, in one query. `platform` is that of the account where the post stands, or was attempted. */
export function listGridDeliveries(
  db: Kysely<DB>,
  { authorId, articleIds }: { authorId: string; articleIds: readonly string[] },
) {
  return (
    db
      .selectFrom('deliveries as d')
      .innerJoin('articles', 'articles.id', 'd.articleId')
      .leftJoin('accounts', 'accounts.id', 'd.accountId')
      .select(['d.articleId', 'd.destination', 'd.state', 'd.remoteUrl', 'd.withdrawnAt', 'd.withdrawRequested'])
      .select(['d.attempts', 'd.lastErrorCode as errorCode', 'd.lastError as error', 'd.nextAttemptAt'])
      .select(['d.handledDispatch', 'd.skippedDispatch', 'd.deliveredRevision', 'accounts.platform', 'd.updatedAt'])
      // Readers find it, or may: the same of an article's copies is in `copies.ts`.
      .select(isLive.as('isLive'))
      .select(isPerhapsBack.as('isUncertain'))
      // The action of the attempt at its account whose outcome is open.
      .select(
        sql<DeliveryAction | null>`(select t.action from delivery_attempts t
        where t.delivery_id = d.id and t.account_id = d.account_id and t.ended_at is null)`.as('open'),
      )
      .where('articles.id', '=', sql<string>`any(${articleIds}::uuid[])`)
      .where('articles.authorId', '=', authorId)
      .orderBy('d.destination')
      .execute()
  );
}
