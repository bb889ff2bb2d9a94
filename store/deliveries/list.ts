/** Lists the deliveries of articles, one per article and destination. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import { describeError } from '../../delivery/describe-error.ts';
import type { DB } from '../db/types.ts';
import { selectStates } from './states.ts';

/** The destinations that a change of an article concerns. Of the row of `articles` in the statement around it. */
export const concernedDestinations = sql<DestinationKey[]>`array(
  select destination from deliveries where article_id = articles.id order by destination)`;

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

/** The destinations where readers find the article, or may. */
export async function listCopiedDestinations(db: Kysely<DB>, articleId: string): Promise<DestinationKey[]> {
  const rows = await db
    .selectFrom('copies')
    .innerJoin('accounts', 'accounts.id', 'copies.accountId')
    .select('accounts.destination')
    .distinct()
    .where('articleId', '=', articleId)
    .where('presence', 'in', ['live', 'uncertain'])
    .execute();
  return rows.map((row) => row.destination);
}

/** The deliveries of one's own articles; none of anybody else's. */
export async function listOwnDeliveries(
  db: Kysely<DB>,
  { authorId, articleIds }: { authorId: string; articleIds: readonly string[] },
) {
  const rows = await selectStates(db)
    .select(
      sql<number>`(select count(*)::int from delivery_attempts t where t.delivery_id = s.delivery_id and t.was_sent)`.as(
        'attempts',
      ),
    )
    .where('s.articleId', 'in', articleIds)
    .where('s.authorId', '=', authorId)
    .execute();
  return rows.map((row) => ({ ...row, error: describeError(row) }));
}

/** The deliveries of an article, whoever asks. */
export async function listDeliveries(db: Kysely<DB>, articleId: string) {
  const rows = await selectStates(db).where('s.articleId', '=', articleId).execute();
  return rows.map((row) => ({ ...row, error: describeError(row) }));
}
