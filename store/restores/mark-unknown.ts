/** A delivery that may have been made after the backup, at a platform that cannot be asked: its author looks, and says what is there. */
import { sql } from 'kysely';
import type { Situation } from '../../delivery/types.ts';
import type { Database } from '../db/database.ts';
import type { LookUpKeys } from '../db/json-columns.ts';
import { endAttempt } from '../deliveries/end-attempt.ts';
import { notify } from '../deliveries/row.ts';

/** False where the row has changed since it was read, or says so already. Run twice, it tells the author once. */
export function markUnknownAfterRestore(
  db: Database,
  { situation, revision, lookUp }: { situation: Situation; revision: number; lookUp: LookUpKeys },
  { reason, now }: { reason: string; now: Date },
): Promise<boolean> {
  const { article, connection, delivery } = situation;
  if (!connection) return Promise.resolve(false);
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('deliveries')
      .innerJoin('articles', 'articles.id', 'deliveries.articleId')
      .select(['deliveries.id', 'deliveries.articleId', 'deliveries.destination'])
      .select(['articles.authorId', 'articles.title'])
      .where('deliveries.id', '=', delivery.id)
      .where('deliveries.attempts', '=', delivery.attempt)
      .where('deliveries.remoteId', 'is', null)
      .forUpdate('deliveries')
      .executeTakeFirst();
    if (!row) return false;
    const number = delivery.attempt + 1;
    await tx
      .updateTable('deliveries')
      .set({ state: 'unknown', attempts: number, accountId: connection.accountId, connectionId: connection.id })
      .set({
        handledDispatch: article.dispatch,
        lastErrorCode: 'outcome_unknown',
        lastError: reason,
        nextAttemptAt: null,
      })
      .set({ updatedAt: now })
      .where('id', '=', delivery.id)
      .execute();
    if (delivery.inFlight) {
      // It was answered, and made nothing.
      const answered = { deliveryId: delivery.id, attempt: delivery.inFlight.number };
      await endAttempt(tx, answered, { outcome: 'retried', now });
    }
    await tx
      .insertInto('deliveryAttempts')
      .values({
        deliveryId: delivery.id,
        number,
        accountId: connection.accountId,
        action: 'create',
        dispatch: article.dispatch,
        revision,
        contentHash: article.hash,
        lookUp: JSON.stringify(lookUp),
        // Whenever it was: nothing of it is on its way any more.
        startedAt: sql<Date>`clock_timestamp() - interval '1 day'`,
      })
      .execute();
    // The key under which an unknown outcome is told anywhere else.
    const outcomeKey = `unknown:${delivery.id}:${number}`;
    return notify(tx, row, { outcomeKey, now }, 'CROSS_POST_FAILED', { reason });
  });
}
