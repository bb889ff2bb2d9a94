/** What became of an author's articles at their destinations, as the desk shows it and as its commands depend on. */
import { type Kysely, sql } from 'kysely';
import type { DeliveryAction } from '../../delivery/types.ts';
import type { DB } from '../db/types.ts';

export type GridDelivery = Awaited<ReturnType<typeof listGridDeliveries>>[number];

/** Of one's own articles only, in one query. `platform` is that of the account where the post stands, or was attempted. */
export function listGridDeliveries(
  db: Kysely<DB>,
  { authorId, articleIds }: { authorId: string; articleIds: readonly string[] },
) {
  return (
    db
      .selectFrom('deliveries')
      .innerJoin('articles', 'articles.id', 'deliveries.articleId')
      .leftJoin('accounts', 'accounts.id', 'deliveries.accountId')
      .select(['deliveries.articleId', 'deliveries.destination', 'deliveries.state', 'deliveries.remoteUrl'])
      .select(['deliveries.withdrawnAt', 'deliveries.withdrawRequested', 'deliveries.attempts'])
      .select(['deliveries.lastErrorCode as errorCode', 'deliveries.lastError as error', 'deliveries.nextAttemptAt'])
      .select(['deliveries.handledDispatch', 'deliveries.skippedDispatch', 'deliveries.deliveredRevision'])
      .select(['accounts.platform', 'deliveries.updatedAt'])
      .select(sql<boolean>`deliveries.remote_id is not null and deliveries.withdrawn_at is null`.as('isLive'))
      // The action of the attempt at its account whose outcome is open.
      .select(
        sql<DeliveryAction | null>`(select t.action from delivery_attempts t
        where t.delivery_id = deliveries.id and t.account_id = deliveries.account_id and t.ended_at is null)`.as(
          'open',
        ),
      )
      .where('articles.id', '=', sql<string>`any(${articleIds}::uuid[])`)
      .where('articles.authorId', '=', authorId)
      .orderBy('deliveries.destination')
      .execute()
  );
}
