/**
 * What keeps a delivery from being planned or recorded at all (a bug of ours, a row that nobody expected, workers that are lost again and
 * again), written as plainly as possible: whatever broke must not break this too. Every function is idempotent.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { notify } from './row.ts';
import type { DeliveryKey } from './situation.ts';

export interface Problem {
  reason: string;
  now: Date;
}

/** A delivery by its row, or by its article and destination. */
export type DeliveryWithProblem = { deliveryId: string } | DeliveryKey;

/** Seen by the author from the first failure on. */
export async function recordProblem(
  db: Database,
  which: DeliveryWithProblem,
  { reason, now, nextAttemptAt }: Problem & { nextAttemptAt: Date },
): Promise<void> {
  await provideRow(db, which);
  await db
    .updateTable('deliveries')
    .set({ lastErrorCode: 'interrupted', lastError: reason, nextAttemptAt, updatedAt: now })
    .where(isDelivery(which))
    .execute();
}

/** Given up, with one event for this publish. A create whose outcome is open stays open: another publish looks before it makes anything. */
export function recordProblemGivenUp(db: Database, which: DeliveryWithProblem, problem: Problem): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await provideRow(tx, which);
    const row = await tx
      .selectFrom('deliveries')
      .innerJoin('articles', 'articles.id', 'deliveries.articleId')
      .select(['deliveries.id', 'deliveries.articleId', 'deliveries.destination'])
      .select(['articles.authorId', 'articles.title', 'articles.dispatch'])
      .select(
        sql<boolean>`exists (select from delivery_attempts t where t.delivery_id = deliveries.id and t.action = 'create'
        and t.account_id = deliveries.account_id and t.ended_at is null)`.as('isUnsettled'),
      )
      .where(isDelivery(which))
      .forUpdate('deliveries')
      .executeTakeFirst();
    if (!row) return;
    const { reason, now } = problem;
    await tx
      .updateTable('deliveries')
      .set({ state: row.isUnsettled ? 'unknown' : 'failed', lastErrorCode: 'gave_up', lastError: reason })
      .set({ nextAttemptAt: null, handledDispatch: row.dispatch, updatedAt: now })
      .where('id', '=', row.id)
      .execute();
    const outcomeKey = `gave-up:${row.id}:${row.dispatch}`;
    await notify(tx, row, { outcomeKey, now }, 'CROSS_POST_FAILED', { reason });
  });
}

async function provideRow(db: Kysely<DB> | Transaction<DB>, which: DeliveryWithProblem): Promise<void> {
  if ('deliveryId' in which) return;
  const { articleId, destination } = which;
  await sql`insert into deliveries (article_id, destination) select id, ${destination} from articles where id = ${articleId}
    on conflict (article_id, destination) do nothing`.execute(db);
}

function isDelivery(which: DeliveryWithProblem) {
  return 'deliveryId' in which
    ? sql<boolean>`deliveries.id = ${which.deliveryId}`
    : sql<boolean>`deliveries.article_id = ${which.articleId} and deliveries.destination = ${which.destination}`;
}
