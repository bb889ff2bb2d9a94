/** Lists the deliveries of articles, one per article and destination. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';
import { addErrors, selectStates, sentAttempts } from './states.ts';

/** The destinations that a change of an article concerns. Of the row of `articles` in the statement around it. */
export const concernedDestinations = sql<DestinationKey[]>`array(
  select destination from deliveries where article_id = articles.id order by destination)`;

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
    .where('mayBeLive', '=', true)
    .execute();
  return rows.map((row) => row.destination);
}

/** The deliveries of one's own articles; none of anybody else's. */
export async function listOwnDeliveries(
  db: Kysely<DB>,
  { authorId, articleIds }: { authorId: string; articleIds: readonly string[] },
) {
  const rows = await selectStates(db)
    .select(sentAttempts.as('attempts'))
    .where('s.articleId', 'in', articleIds)
    .where('s.authorId', '=', authorId)
    .execute();
  return addErrors(rows);
}

/** The deliveries of an article, whoever asks. */
export async function listDeliveries(db: Kysely<DB>, articleId: string) {
  const rows = await selectStates(db).where('s.articleId', '=', articleId).execute();
  return addErrors(rows);
}
