/** Adopts the post as a copy, so that the next publish updates it instead of creating a second. */
import { sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import { adoptCopy as adoptPost } from '../copies/adopt-copy.ts';
import { listOtherPosts } from '../copies/post-owner.ts';
import type { DB } from '../db/types.ts';
import { lockDeliveryState } from '../deliveries/lock-state.ts';

/** A post at an account, identified by the ids of a probe. */
export interface SourceCopy {
  destination: DestinationKey;
  /** See `ProbedIdentity.identity`. */
  identity: string;
  remoteId: string;
  url: string;
  /** By the platform's clock. */
  changedAt: string | null;
}

/** False if another account or copy is known, or the post is another article's copy. */
export async function adoptCopy(
  tx: Transaction<DB>,
  copy: SourceCopy & { authorId: string; articleId: string },
): Promise<boolean> {
  const { authorId, articleId, destination, identity, remoteId, url, changedAt } = copy;
  const account = await tx
    .selectFrom('connections')
    .innerJoin('accounts', 'accounts.id', 'connections.accountId')
    .select('accounts.id')
    .where('connections.userId', '=', authorId)
    .where('connections.destination', '=', destination)
    .where('accounts.identity', '=', identity)
    .executeTakeFirst();
  if (!account) return false;
  // Before the delivery is inserted: its publish would count as unhandled and be sent.
  if ((await listOtherPosts(tx, { accountId: account.id, articleId })).has(remoteId)) return false;
  await tx
    .insertInto('deliveries')
    .values({ articleId, destination })
    .onConflict((conflict) => conflict.columns(['articleId', 'destination']).doNothing())
    .execute();
  const delivery = await lockDeliveryState(tx, { articleId, destination });
  if (!delivery || delivery.openId !== null || delivery.remoteId !== null) return false;
  const copyId = await adoptPost(tx, { articleId, accountId: account.id }, { remoteId, url });
  // Its content is unknown, so the next publish updates it in any case.
  const revision = tx.selectFrom('articles').select('revision').where('id', '=', articleId);
  await tx.updateTable('copies').set({ remoteChangedAt: changedAt, revision }).where('id', '=', copyId).execute();
  await sql`update deliveries d set version = d.version + 1,
      handled_dispatch = case when d.due_at is null then a.dispatch else d.handled_dispatch end
    from articles a where a.id = d.article_id and d.id = ${delivery.deliveryId}`.execute(tx);
  return true;
}
