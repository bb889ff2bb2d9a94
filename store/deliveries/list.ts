/** Lists the deliveries of articles, one per article and destination. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';
import { addErrorMessages, selectStates, sentAttempts } from './states.ts';

/** Destinations affected by a change of the article; a subquery over `articles`. */
export const affectedDestinations = sql<DestinationKey[]>`array(
  select destination from deliveries where article_id = articles.id order by destination)`;

export async function listConcernedDestinations(db: Kysely<DB>, articleId: string): Promise<DestinationKey[]> {
  const article = await db
    .selectFrom('articles')
    .select(affectedDestinations.as('destinations'))
    .where('id', '=', articleId)
    .executeTakeFirst();
  return article?.destinations ?? [];
}

/** Destinations with a copy that is live or may be. */
export async function listCopiedDestinations(db: Kysely<DB>, articleId: string): Promise<DestinationKey[]> {
  const rows = await db
    .selectFrom('copies')
    .innerJoin('accounts', 'accounts.id', 'copies.accountId')
    .select('accounts.destination')
    .distinct()
    .where('articleId', '=', articleId)
    .where('mayBeLive', '=', true)
    .execute();
  return rows.map((row) => row.destination);
}

/** Only the author's own articles. */
export async function listOwnDeliveries(
  db: Kysely<DB>,
  { authorId, articleIds }: { authorId: string; articleIds: readonly string[] },
) {
  const rows = await selectStates(db)
    .select(sentAttempts.as('attempts'))
    .where('s.articleId', 'in', articleIds)
    .where('s.authorId', '=', authorId)
    .execute();
  return addErrorMessages(rows);
}
