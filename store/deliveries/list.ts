/** Lists the delivery ledger, which has one row per article and destination. */
import type { Kysely } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';

/** The destinations that a change of the article concerns: those with a delivery, and connected ones that the article asks for. */
export async function listConcernedDestinations(db: Kysely<DB>, articleId: string): Promise<DestinationKey[]> {
  const article = await db
    .selectFrom('articles')
    .select(['crossPost', 'authorId', 'status', 'syndicate'])
    .where('id', '=', articleId)
    .executeTakeFirst();
  if (!article) return [];
  const connected = await db
    .selectFrom('connections')
    .select('destination')
    .where('userId', '=', article.authorId)
    .execute();
  const known = await db.selectFrom('deliveries').select('destination').where('articleId', '=', articleId).execute();
  const wanted =
    article.status === 'PUBLISHED' && article.syndicate
      ? connected.map((row) => row.destination).filter((key) => article.crossPost[key])
      : [];
  return [...new Set([...known.map((row) => row.destination), ...wanted])].sort();
}

/** The destinations where the article may be seen: with a live copy, or with an attempt whose outcome is not known. */
export async function listCopiedDestinations(db: Kysely<DB>, articleId: string): Promise<DestinationKey[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('destination')
    .where('articleId', '=', articleId)
    .where(({ or, and, eb, exists, selectFrom }) =>
      or([
        and([eb('remoteId', 'is not', null), eb('withdrawnAt', 'is', null)]),
        exists(
          selectFrom('deliveryAttempts')
            .select('number')
            .whereRef('deliveryAttempts.deliveryId', '=', 'deliveries.id')
            .where('endedAt', 'is', null),
        ),
      ]),
    )
    .execute();
  return rows.map((row) => row.destination);
}

/** The deliveries of one's own articles; none of anybody else's. */
export function listOwnDeliveries(
  db: Kysely<DB>,
  { authorId, articleIds }: { authorId: string; articleIds: readonly string[] },
) {
  return db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .select(['deliveries.articleId', 'deliveries.destination', 'deliveries.state', 'deliveries.remoteUrl'])
    .select(['deliveries.withdrawnAt', 'deliveries.deliveredRevision', 'deliveries.attempts'])
    .select(['deliveries.lastErrorCode as errorCode', 'deliveries.lastError as error', 'deliveries.nextAttemptAt'])
    .where('articles.id', 'in', articleIds)
    .where('articles.authorId', '=', authorId)
    .orderBy('deliveries.destination')
    .execute();
}

/** The deliveries of an article, whoever asks. */
export function listDeliveries(db: Kysely<DB>, articleId: string) {
  return db
    .selectFrom('deliveries')
    .select(['destination', 'state', 'remoteId', 'remoteUrl', 'deliveredRevision', 'attempts'])
    .select(['lastErrorCode', 'lastError', 'nextAttemptAt', 'withdrawnAt'])
    .where('articleId', '=', articleId)
    .orderBy('destination')
    .execute();
}
