/** A delivery that is locked, with its state as the view derives it. */
import { type CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import type { DB } from '../db/types.ts';
import type { DeliveryKey } from './situation.ts';
import { sentAttempts } from './states.ts';

/** A delivery by its row, or by its article and destination. */
export type LockedKey = { deliveryId: string } | DeliveryKey;

export type LockedState = NonNullable<Awaited<ReturnType<typeof lockDeliveryState>>>;

/** The state is read by a statement of its own, which sees what was committed before the lock was granted. Null where there is no such row. */
export async function lockDeliveryState(tx: Transaction<DB>, key: LockedKey) {
  const deliveryId = 'deliveryId' in key ? key.deliveryId : await findId(tx, key);
  if (deliveryId === null) return null;
  const { rows } = await tx.executeQuery(buildLock(tx, { deliveryId }));
  const [own] = rows;
  if (!own) return null;
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
    .where('s.deliveryId', '=', own.id)
    .executeTakeFirst();
  return state ? { ...state, deliveryId: own.id } : null;
}

/**
 * Locks the article, against a change of its key, before the delivery, as a publish does: copies, attempts and
 * notifications reference the article, so inserting one takes that lock anyway.
 */
export function buildLock(db: Kysely<DB>, { deliveryId }: { deliveryId: string }): CompiledQuery<{ id: string }> {
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
