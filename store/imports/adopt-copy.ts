/**
 * Takes the post at the source over as the delivery that it is, where it stands at the account that its author has connected: the next publish
 * updates it then, instead of making a second one.
 */
import { sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';
import { isRemotePostTaken } from '../deliveries/post-owner.ts';

/** A post at an account, known by the ids of a probe. */
export interface SourceCopy {
  destination: DestinationKey;
  /** See `ProbedIdentity.identity`. */
  identity: string;
  remoteId: string;
  url: string;
  /** By the platform's clock. */
  changedAt: string | null;
}

/** Returns whether it was adopted: not where another account is connected, another post is known, or the post is another article's. */
export async function adoptCopy(
  tx: Transaction<DB>,
  copy: SourceCopy & { authorId: string; articleId: string; now: Date },
): Promise<boolean> {
  const { authorId, articleId, destination, identity, remoteId, url, changedAt, now } = copy;
  const account = await tx
    .selectFrom('connections')
    .innerJoin('accounts', 'accounts.id', 'connections.accountId')
    .select('accounts.id')
    .where('connections.userId', '=', authorId)
    .where('connections.destination', '=', destination)
    .where('accounts.identity', '=', identity)
    .executeTakeFirst();
  if (!account) return false;
  await tx
    .insertInto('deliveries')
    .values({ articleId, destination })
    .onConflict((conflict) => conflict.columns(['articleId', 'destination']).doNothing())
    .execute();
  const delivery = await tx
    .selectFrom('deliveries')
    .select(['id', 'remoteId'])
    .where('articleId', '=', articleId)
    .where('destination', '=', destination)
    .where(
      sql<boolean>`not exists (select from delivery_attempts t where t.delivery_id = deliveries.id and t.ended_at is null)`,
    )
    .forUpdate()
    .executeTakeFirst();
  if (!delivery || delivery.remoteId !== null) return false;
  if (await isRemotePostTaken(tx, { accountId: account.id, remoteId, exceptDeliveryId: delivery.id })) return false;
  await tx
    .updateTable('deliveries')
    .set((eb) => ({
      state: 'delivered',
      accountId: account.id,
      remoteId,
      remoteUrl: url,
      remoteChangedAt: changedAt,
      // What it says is not known, so the next publish updates it whatever that says.
      deliveredHash: null,
      withdrawnAt: null,
      lastError: null,
      lastErrorCode: null,
      nextAttemptAt: null,
      handledDispatch: eb.selectFrom('articles').select('dispatch').where('id', '=', articleId).$asScalar().$notNull(),
      updatedAt: now,
    }))
    .where('id', '=', delivery.id)
    .execute();
  return true;
}
