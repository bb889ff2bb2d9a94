/** A delivery that is locked, with its state as the view derives it. */
import type { Transaction } from 'kysely';
import type { DB } from '../db/types.ts';
import type { DeliveryKey } from './situation.ts';
import { sentAttempts } from './states.ts';

/** A delivery by its row, or by its article and destination. */
export type LockedKey = { deliveryId: string } | DeliveryKey;

export type LockedState = NonNullable<Awaited<ReturnType<typeof lockDeliveryState>>>;

/** Two statements: the second sees what was committed while the lock was waited for. Null where there is no such row. */
export async function lockDeliveryState(tx: Transaction<DB>, key: LockedKey) {
  const all = tx.selectFrom('deliveries').select('id');
  const of =
    'deliveryId' in key
      ? all.where('id', '=', key.deliveryId)
      : all.where('articleId', '=', key.articleId).where('destination', '=', key.destination);
  const own = await of.forUpdate().executeTakeFirst();
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
