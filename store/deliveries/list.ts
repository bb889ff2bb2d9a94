/** Lists the delivery ledger, which has one row per article and destination. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';

/**
 * The destinations that a change of an article concerns: those with a delivery, and connected ones that it asks for. Of the row of `articles` in the
 * statement around it.
 */
export const concernedDestinations = sql<DestinationKey[]>`array(
  select destination from deliveries where article_id = articles.id
  union
  select destination from connections where user_id = articles.author_id
    and articles.status = 'PUBLISHED' and articles.syndicate and (articles.cross_post ->> destination)::boolean
  order by destination)`;

/** What is connected for the author of the article in the statement around it. */
export const connectedPlatforms = sql<{ destination: DestinationKey; platform: string }[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('destination', destination, 'platform', platform)), '[]')
  from connections where user_id = articles.author_id)`;

export async function listConcernedDestinations(db: Kysely<DB>, articleId: string): Promise<DestinationKey[]> {
  const article = await db
    .selectFrom('articles')
    .select(concernedDestinations.as('destinations'))
    .where('id', '=', articleId)
    .executeTakeFirst();
  return article?.destinations ?? [];
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

/**
 * The deliveries of one's own articles; none of anybody else's. Attempts are counted, since numbers of theirs are passed over: by a change of account,
 * and by a restore.
 */
export function listOwnDeliveries(
  db: Kysely<DB>,
  { authorId, articleIds }: { authorId: string; articleIds: readonly string[] },
) {
  return db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .select(['deliveries.articleId', 'deliveries.destination', 'deliveries.state', 'deliveries.remoteUrl'])
    .select(['deliveries.withdrawnAt', 'deliveries.deliveredRevision'])
    .select(
      sql<number>`(select count(*)::int from delivery_attempts t where t.delivery_id = deliveries.id)`.as('attempts'),
    )
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
