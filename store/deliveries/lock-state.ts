/** Locks a delivery and reads its state from the view. */
import { type CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import type { DB } from '../db/types.ts';
import type { DeliveryKey } from './situation.ts';
import { sentAttempts } from './states.ts';

export type LockedKey = { deliveryId: string } | DeliveryKey;

export type LockedState = NonNullable<Awaited<ReturnType<typeof lockDeliveryState>>>;

/** Null if the row does not exist. A separate statement reads the state under the lock. */
export async function lockDeliveryState(tx: Transaction<DB>, key: LockedKey) {
  const deliveryId = 'deliveryId' in key ? key.deliveryId : await findId(tx, key);
  if (deliveryId === null) return null;
  const { rows } = await tx.executeQuery(buildDeliveryLock(tx, { deliveryId }));
  const [locked] = rows;
  if (!locked) return null;
  const state = await tx
    .selectFrom('deliveryStates as s')
    .innerJoin('articles', 'articles.id', 's.articleId')
    .select(['s.articleId', 's.destination', 's.authorId', 'articles.title', 's.dispatch', 's.revision', 's.accountId'])
    .select([
      's.state',
      's.errorCode',
      's.copyId',
      's.remoteId',
      's.presence',
      's.hasLiveCopy',
      's.shouldBeWithdrawn',
      's.lastReason',
    ])
    .select(['s.openId', 's.openAction', 's.openAnswer', 's.withdrawRequested', 's.overwrite', 's.handledDispatch'])
    .select(sentAttempts.as('attempts'))
    .where('s.deliveryId', '=', locked.id)
    .executeTakeFirst();
  return state ? { ...state, deliveryId: locked.id } : null;
}

/**
 * Locks the article (`for key share`) before the delivery, in the order of a publish. Inserting a
 * copy, an attempt or a notification acquires that lock anyway, because they reference the article.
 */
export function buildDeliveryLock(
  db: Kysely<DB>,
  { deliveryId }: { deliveryId: string },
): CompiledQuery<{ id: string }> {
  return sql<{ id: string }>`
    with article as materialized (
      select id from articles where id = (select article_id from deliveries where id = ${deliveryId}) for key share)
    select id from deliveries where id = ${deliveryId} and article_id = (select id from article) for update`.compile(
    db,
  );
}

async function findId(tx: Transaction<DB>, { articleId, destination }: DeliveryKey): Promise<string | null> {
  const found = tx.selectFrom('deliveries').select('id');
  const row = await found.where('articleId', '=', articleId).where('destination', '=', destination).executeTakeFirst();
  return row?.id ?? null;
}
