/**
 * Another account is connected under a destination key. A post belongs to the account at which it stands: it is kept with that account, and
 * taken up again when the account returns. Nothing of a former account is ever updated or withdrawn over another one.
 */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DestinationAnswer } from '../../delivery/types.ts';
import type { DB } from '../db/types.ts';
import { keepDeletedPosts, keepMadePosts, type Remains, readRemains, tellOfLeft } from '../deliveries/left-behind.ts';
import { enqueueDelivery } from '../outbox/enqueue.ts';
import { takeUpPosts } from './take-up-posts.ts';

export interface AccountChange {
  userId: string;
  destination: DestinationKey;
  accountId: string;
  now: Date;
}

/** Locks and moves every delivery of the author under this key that belongs to another account. */
export async function moveDeliveries(tx: Transaction<DB>, change: AccountChange): Promise<void> {
  await voidPlans(tx, change);
  const moving = await lockMoving(tx, change);
  if (moving.length === 0) return;
  const { accountId, now } = change;
  const ids = moving.map(({ id }) => id);
  await keepPosts(tx, ids);
  await keepDeletedPosts(tx, moving.flatMap(findDeleted));
  await keepMadePosts(tx, { deliveryIds: ids, exceptAccountId: accountId });
  const remains = new Map(moving.map((delivery) => [delivery.id, findRemains(delivery)]));
  await endOpenAttempts(tx, moving, remains);
  const left = ids.filter((id) => remains.get(id) !== 'nothing');
  const due = new Set(await takeUpPosts(tx, { ids, left, accountId, now }));
  for (const delivery of moving) {
    // Its workflow has the attempt under way, and tells of it when that has ended.
    if (remains.get(delivery.id) === 'pending') due.add(delivery.id);
    else if (remains.get(delivery.id) !== 'nothing') await tellOfMoved(tx, delivery, now);
  }
  await wake(tx, moving, due, change);
}

/**
 * What was planned for an account must not be recorded under another one. Only deliveries that never were anywhere: all others name their
 * account.
 */
export async function voidPlans(
  tx: Transaction<DB>,
  { userId, destination }: Pick<AccountChange, 'userId' | 'destination'>,
): Promise<void> {
  await tx
    .updateTable('deliveries')
    .from('articles')
    .set((eb) => ({ attempts: eb('deliveries.attempts', '+', 1) }))
    .whereRef('articles.id', '=', 'deliveries.articleId')
    .where('articles.authorId', '=', userId)
    .where('deliveries.destination', '=', destination)
    .where('deliveries.accountId', 'is', null)
    .execute();
}

type Moving = Awaited<ReturnType<typeof lockMoving>>[number];

function lockMoving(tx: Transaction<DB>, { userId, destination, accountId }: AccountChange) {
  return tx
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .leftJoin('accounts', 'accounts.id', 'deliveries.accountId')
    .leftJoin('deliveryAttempts as open', (join) =>
      join
        .onRef('open.deliveryId', '=', 'deliveries.id')
        .onRef('open.accountId', '=', 'deliveries.accountId')
        .on('open.endedAt', 'is', null),
    )
    .select([
      'deliveries.id',
      'deliveries.articleId',
      'deliveries.attempts',
      'deliveries.destination',
      'deliveries.state',
    ])
    .select(['deliveries.remoteId', 'deliveries.remoteUrl as url', 'articles.authorId', 'articles.title'])
    .select('accounts.name as accountName')
    .select(['open.number as openNumber', 'open.action as openAction'])
    .select(sql<DestinationAnswer | null>`open.answer`.as('openAnswer'))
    .select(
      sql<boolean>`deliveries.remote_id is not null and (deliveries.withdrawn_at is null or ${isPerhapsBack('open')})
        and (open.action = 'withdraw' and open.answer ->> 'kind' = 'done') is not true`.as('hasCopy'),
    )
    .select(sql<boolean>`articles.status = 'PUBLISHED' and not deliveries.withdraw_requested`.as('isWanted'))
    .where('articles.authorId', '=', userId)
    .where('deliveries.destination', '=', destination)
    .where('deliveries.accountId', '!=', accountId)
    .orderBy('deliveries.id')
    .forUpdate('deliveries')
    .execute();
}

function findRemains({ hasCopy, openAction, openAnswer, state }: Moving): Remains {
  if (hasCopy) return 'post';
  return openAction === 'create' ? readRemains(openAnswer, state === 'delivering') : 'nothing';
}

async function keepPosts(tx: Transaction<DB>, ids: string[]): Promise<void> {
  // A change whose end is not known may have moved the post's time: later it would look like somebody else's change.
  await sql`
    insert into former_posts (delivery_id, account_id, remote_id, remote_url, remote_changed_at, delivered_hash, delivered_revision, withdrawn_at)
    select d.id, d.account_id, remote_id, remote_url, case when t.number is null then remote_changed_at end, delivered_hash,
      delivered_revision, case when t.action = 'withdraw' and t.answer ->> 'kind' = 'done' then t.answered_at
        when ${isPerhapsBack('t')} then null else withdrawn_at end
    from deliveries d
    left join delivery_attempts t on t.delivery_id = d.id and t.account_id = d.account_id and t.ended_at is null
    where d.id = any(${ids}) and remote_id is not null
    on conflict (delivery_id, account_id) do update set remote_id = excluded.remote_id, remote_url = excluded.remote_url,
      remote_changed_at = excluded.remote_changed_at, delivered_hash = excluded.delivered_hash,
      delivered_revision = excluded.delivered_revision, withdrawn_at = excluded.withdrawn_at`.execute(tx);
}

/** Its withdrawal was answered, and is not recorded yet. */
function findDeleted({ id: deliveryId, remoteId, openAction, openAnswer }: Moving) {
  const isDeleted = openAction === 'withdraw' && openAnswer?.kind === 'done' && openAnswer.deleted === true;
  return isDeleted && remoteId !== null ? [{ deliveryId, remoteId }] : [];
}

/** An update of a withdrawn post that was made, or may have been: readers may find the post, so it is withdrawn again when its account returns. */
function isPerhapsBack(attempt: 'open' | 't'): RawBuilder<boolean> {
  const [action, answer] = [sql.ref(`${attempt}.action`), sql.ref(`${attempt}.answer`)];
  return sql`(${action} = 'update' and coalesce(${answer} ->> 'kind', 'unknown') in ('done', 'unknown'))`;
}

/** What an open update or withdrawal did is of no consequence here; a create that may have made a post stays open at its account. */
async function endOpenAttempts(tx: Transaction<DB>, moving: Moving[], remains: Map<string, Remains>): Promise<void> {
  const over = moving.filter(
    ({ id, openAction }) => openAction !== null && (openAction !== 'create' || remains.get(id) === 'nothing'),
  );
  if (over.length === 0) return;
  await sql`update delivery_attempts t set outcome = 'void', ended_at = clock_timestamp()
    from deliveries d where d.id = t.delivery_id and t.account_id = d.account_id and t.ended_at is null
    and d.id = any(${over.map(({ id }) => id)})`.execute(tx);
}

function tellOfMoved(tx: Transaction<DB>, delivery: Moving, now: Date): Promise<void> {
  const { accountName, openNumber, openAnswer, hasCopy, url, attempts } = delivery;
  const made = openAnswer?.kind === 'done' ? { url: openAnswer.remote?.url ?? null } : null;
  const left = { accountName, now, copy: hasCopy ? { url } : made };
  return tellOfLeft(tx, delivery, { ...left, attempt: hasCopy ? attempts : (openNumber ?? attempts) });
}

/** `dispatchedAt`: the search for stalled deliveries looks at what changed lately. */
async function wake(tx: Transaction<DB>, moving: Moving[], due: Set<string>, { now }: AccountChange): Promise<void> {
  const woken = moving.filter(({ id }) => due.has(id));
  if (woken.length === 0) return;
  for (const { articleId, destination } of woken) await enqueueDelivery(tx, articleId, destination);
  const articleIds = woken.map(({ articleId }) => articleId);
  await tx.updateTable('articles').set({ dispatchedAt: now }).where('id', 'in', articleIds).execute();
}
