/** Reads the deliveries for the desk's grid, including what decides its commands. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { addErrorMessages, selectStates, sentAttempts } from './states.ts';

export type GridDelivery = Awaited<ReturnType<typeof listGridDeliveries>>[number];

/** Only the author's own articles. `platform`: of the account that has the copy or the attempt. */
export async function listGridDeliveries(
  db: Kysely<DB>,
  { authorId, articleIds }: { authorId: string; articleIds: readonly string[] },
) {
  const rows = await selectStates(db)
    .select(['s.withdrawRequested', 's.handledDispatch', 's.shouldBeDelivered', 's.needsAuthor', 's.openAction'])
    .select(sentAttempts.as('attempts'))
    // The name of the former account that has a live copy.
    .select(
      sql<
        string | null
      >`(select k.name from copies c join accounts k on k.id = c.account_id where s.is_offered and c.article_id = s.article_id
        and k.destination = s.destination and c.presence = 'live' order by c.updated_at desc limit 1)`.as(
        'formerAccountName',
      ),
    )
    .where('s.articleId', '=', sql<string>`any(${articleIds}::uuid[])`)
    .where('s.authorId', '=', authorId)
    .execute();
  return addErrorMessages(rows).map((row) => ({
    ...row,
    isUncertain: row.hasLiveCopy && row.presence === 'uncertain',
  }));
}
