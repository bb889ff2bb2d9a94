/**
 * Another account is connected under a destination key. A post belongs to the account at which it stands: it is kept with that account, and
 * taken up again when the account returns. Nothing of a former account is ever updated or withdrawn over another one.
 */
import { sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';
import { keepPostsOfOtherAccounts } from '../deliveries/end-attempt.ts';
import { notify } from '../deliveries/row.ts';

export interface AccountChange {
  userId: string;
  destination: DestinationKey;
  accountId: string;
  now: Date;
}

/** Locks and moves every delivery of the author under this key that belongs to another account. */
export async function moveDeliveries(tx: Transaction<DB>, change: AccountChange): Promise<void> {
  const moving = await lockMoving(tx, change);
  if (moving.length === 0) return;
  const ids = moving.map(({ id }) => id);
  await keepPosts(tx, ids);
  await voidOpenChanges(tx, ids);
  await takeUpPosts(tx, ids, change);
  for (const delivery of moving) {
    if (delivery.hasAnsweredCreate) await keepPostsOfOtherAccounts(tx, delivery.id);
  }
  for (const delivery of moving) await tellOfCopy(tx, delivery, change);
}

type Moving = Awaited<ReturnType<typeof lockMoving>>[number];

function lockMoving(tx: Transaction<DB>, { userId, destination, accountId }: AccountChange) {
  const openCreate = sql`from delivery_attempts t where t.delivery_id = deliveries.id and t.account_id = deliveries.account_id
    and t.action = 'create' and t.ended_at is null`;
  return tx
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .leftJoin('accounts', 'accounts.id', 'deliveries.accountId')
    .leftJoin('formerPosts', (join) =>
      join.onRef('formerPosts.deliveryId', '=', 'deliveries.id').on('formerPosts.accountId', '=', accountId),
    )
    .select(['deliveries.id', 'deliveries.attempts', 'deliveries.destination', 'deliveries.remoteUrl as url'])
    .select(['articles.authorId', 'articles.title', 'accounts.name as formerName'])
    .select(sql<boolean>`deliveries.remote_id is not null and deliveries.withdrawn_at is null`.as('hasCopy'))
    .select(sql<boolean>`exists (select ${openCreate})`.as('hasOpenCreate'))
    .select(sql<boolean>`exists (select ${openCreate} and t.answer ->> 'kind' = 'done')`.as('hasAnsweredCreate'))
    .select(
      sql<string | null>`(select t.answer #>> '{remote,url}' ${openCreate} and t.answer ->> 'kind' = 'done')`.as(
        'madeUrl',
      ),
    )
    .select(sql<boolean>`former_posts.remote_id is not null`.as('returns'))
    .where('articles.authorId', '=', userId)
    .where('deliveries.destination', '=', destination)
    .where('deliveries.accountId', '!=', accountId)
    .orderBy('deliveries.id')
    .forUpdate('deliveries')
    .execute();
}

async function keepPosts(tx: Transaction<DB>, ids: string[]): Promise<void> {
  await sql`
    insert into former_posts (delivery_id, account_id, remote_id, remote_url, remote_changed_at, delivered_hash, delivered_revision, withdrawn_at)
    select id, account_id, remote_id, remote_url, remote_changed_at, delivered_hash, delivered_revision, withdrawn_at
    from deliveries where id = any(${ids}) and remote_id is not null
    on conflict (delivery_id, account_id) do update set remote_id = excluded.remote_id, remote_url = excluded.remote_url,
      remote_changed_at = excluded.remote_changed_at, delivered_hash = excluded.delivered_hash,
      delivered_revision = excluded.delivered_revision, withdrawn_at = excluded.withdrawn_at`.execute(tx);
}

/** What an open update or withdrawal did is of no consequence here; a create that may have made a post stays open at its account. */
async function voidOpenChanges(tx: Transaction<DB>, ids: string[]): Promise<void> {
  await tx
    .updateTable('deliveryAttempts')
    .set({ outcome: 'void', endedAt: sql<Date>`clock_timestamp()` })
    .where('deliveryId', 'in', ids)
    .where('action', '!=', 'create')
    .where('endedAt', 'is', null)
    .execute();
}

/** A delivery whose post stays at the former account waits for the next publish; one that never had a post goes to the new one. */
async function takeUpPosts(tx: Transaction<DB>, ids: string[], { accountId, now }: AccountChange): Promise<void> {
  await sql`
    with moved as (
      select d.id, f.*, a.dispatch, a.revision,
        d.remote_id is not null or exists (
          select from delivery_attempts t where t.delivery_id = d.id and t.account_id = d.account_id and t.ended_at is null
        ) as leaves_something
      from deliveries d join articles a on a.id = d.article_id
      left join former_posts f on f.delivery_id = d.id and f.account_id = ${accountId}
      where d.id = any(${ids})
    )
    update deliveries d set
      account_id = ${accountId}, attempts = d.attempts + 1, overwrite = false,
      remote_id = m.remote_id, remote_url = m.remote_url, remote_changed_at = m.remote_changed_at,
      delivered_hash = m.delivered_hash, delivered_revision = m.delivered_revision, withdrawn_at = m.withdrawn_at,
      state = case
        when m.remote_id is not null and m.withdrawn_at is null and m.delivered_revision = m.revision then 'delivered'
        when m.remote_id is not null then 'stale'
        when m.leaves_something then 'failed'
        when d.state = 'delivering' then 'pending'
        else d.state end,
      handled_dispatch = case when m.remote_id is null and m.leaves_something then m.dispatch else d.handled_dispatch end,
      last_error_code = case when m.remote_id is null and m.leaves_something then 'account_changed' end,
      last_error = case when m.remote_id is null and m.leaves_something then ${ACCOUNT_CHANGED} end,
      next_attempt_at = null, updated_at = ${now}
    from moved m where m.id = d.id`.execute(tx);
  await tx.deleteFrom('formerPosts').where('deliveryId', 'in', ids).where('accountId', '=', accountId).execute();
}

const ACCOUNT_CHANGED =
  'The copy is at the account that was connected before. Publish again to send the article to the new one.';

/** One event names the copy that stays, or the attempt of which nobody knows what it made. */
async function tellOfCopy(tx: Transaction<DB>, delivery: Moving, { now }: AccountChange): Promise<void> {
  if (!delivery.hasCopy && !delivery.hasOpenCreate) return;
  const url = delivery.hasCopy ? delivery.url : delivery.madeUrl;
  const account = delivery.formerName === null ? 'the account that was connected before' : `“${delivery.formerName}”`;
  const what =
    delivery.hasCopy || delivery.hasAnsweredCreate
      ? `${url === null ? 'The copy' : `The copy at ${url}`} stays as it is: it is at ${account}, and another account is connected now.`
      : `A post was being made at ${account} when another account was connected; look there whether it exists.`;
  const reason = `${what} Publish again to send the article to the new account.`;
  const outcomeKey = `account-changed:${delivery.id}:${delivery.attempts}`;
  await tx
    .updateTable('deliveries')
    .set({ lastError: reason })
    .where('id', '=', delivery.id)
    .where('lastErrorCode', '=', 'account_changed')
    .execute();
  await notify(tx, delivery, { outcomeKey, now }, 'CROSS_POST_FAILED', { reason });
}
