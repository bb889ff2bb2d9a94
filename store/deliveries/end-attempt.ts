/** Ends an attempt in its own row: what the destination answered, and what that meant. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { AttemptOutcome, DestinationAnswer } from '../../delivery/types.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';

/**
 * Writes down what the destination answered, by the activity that asked it, so that it is known whatever becomes of the workflow. Where
 * the delivery went to another account meanwhile, a post that was made is kept with the account at which it stands. The first answer counts.
 */
export function recordAnswer(
  db: Database,
  { deliveryId, number, answer }: { deliveryId: string; number: number; answer: DestinationAnswer },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    // Locked first, so that a change of the account sees the answer, or this sees the change.
    const delivery = await tx
      .selectFrom('deliveries')
      .select('accountId')
      .where('id', '=', deliveryId)
      .forUpdate()
      .executeTakeFirst();
    const attempt = await tx
      .updateTable('deliveryAttempts')
      .set({ answer: JSON.stringify(answer), answeredAt: sql<Date>`clock_timestamp()` })
      .where('deliveryId', '=', deliveryId)
      .where('number', '=', number)
      .where('answer', 'is', null)
      .returning('accountId')
      .executeTakeFirst();
    if (delivery && attempt && delivery.accountId !== attempt.accountId) {
      await keepPostsOfOtherAccounts(tx, deliveryId);
    }
  });
}

/** Posts that were made at accounts which are no longer the delivery's: they are taken up again when their account returns. */
export async function keepPostsOfOtherAccounts(tx: Transaction<DB>, deliveryId: string): Promise<void> {
  await sql`
    with made as (
      update delivery_attempts t set outcome = 'delivered', ended_at = clock_timestamp()
      from deliveries d where d.id = t.delivery_id and d.id = ${deliveryId} and t.account_id is distinct from d.account_id
      and t.action = 'create' and t.ended_at is null and t.answer ->> 'kind' = 'done'
      returning t.*
    )
    insert into former_posts (delivery_id, account_id, remote_id, remote_url, remote_changed_at, delivered_hash, delivered_revision)
    select delivery_id, account_id, answer #>> '{remote,remoteId}', answer #>> '{remote,url}', answer #>> '{remote,changedAt}',
      content_hash, revision from made
    on conflict (delivery_id, account_id) do nothing`.execute(tx);
}

/** Nothing happens where it has ended before. */
export async function endAttempt(
  db: Kysely<DB>,
  { deliveryId, attempt }: { deliveryId: string; attempt: number },
  end: { outcome: AttemptOutcome; code?: string; reason?: string; now: Date },
): Promise<void> {
  await db
    .updateTable('deliveryAttempts')
    .set({ outcome: end.outcome, code: end.code ?? null, reason: end.reason ?? null, endedAt: end.now })
    .where('deliveryId', '=', deliveryId)
    .where('number', '=', attempt)
    .where('endedAt', 'is', null)
    .execute();
}
