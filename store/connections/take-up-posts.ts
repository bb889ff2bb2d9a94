/** What a delivery becomes at the account that is connected now: its post there is taken up again, where it has one. */
import { sql, type Transaction } from 'kysely';
import type { DB } from '../db/types.ts';
import { ACCOUNT_CHANGED } from '../deliveries/left-behind.ts';

const REASON =
  'The article was sent to the account that was connected before. Publish again to send it to the new one.';

/**
 * `left`: those of which something stays, or may, at the former account; they wait for the next publish. What left nothing there goes to the
 * new account by itself. A post that returns with its account gets what it has missed: the newest text, or its withdrawal; one that
 * was deleted there is made anew where it is wanted. Returns the ids of those for which something is due.
 */
export async function takeUpPosts(
  tx: Transaction<DB>,
  { ids, left, accountId, now }: { ids: string[]; left: string[]; accountId: string; now: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string; due: boolean }>`
    with known as (
      select d.id, a.dispatch, f.remote_id is not null as returns, d.id = any(${left}::uuid[]) as leaves,
        case when not is_gone then f.remote_id end as remote_id, case when not is_gone then f.remote_url end as remote_url,
        case when not is_gone then f.delivered_hash end as delivered_hash,
        f.remote_changed_at, f.delivered_revision, f.withdrawn_at,
        a.status = 'PUBLISHED' and not d.withdraw_requested as wanted,
        f.withdrawn_at is null as live,
        f.withdrawn_at is null and f.delivered_hash is not null and f.delivered_revision = a.revision as current,
        exists (
          select from delivery_attempts t where t.delivery_id = d.id and t.account_id = ${accountId} and t.ended_at is null
        ) as reopens
      from deliveries d join articles a on a.id = d.article_id
      left join former_posts f on f.delivery_id = d.id and f.account_id = ${accountId}
      cross join lateral (select coalesce(f.remote_id = any(d.former_remote_ids), false) as is_gone) g
      where d.id = any(${ids}::uuid[])
    ), moved as (
      select *, reopens or (returns and case when wanted then not current else live end) as due,
        leaves and not returns and not reopens as waits
      from known
    )
    update deliveries d set
      account_id = ${accountId}, attempts = d.attempts + 1, overwrite = false,
      remote_id = m.remote_id, remote_url = m.remote_url, remote_changed_at = m.remote_changed_at,
      delivered_hash = m.delivered_hash, delivered_revision = m.delivered_revision, withdrawn_at = m.withdrawn_at,
      state = case
        when m.reopens then 'delivering'
        when m.returns and m.current and m.wanted then 'delivered'
        when m.returns then 'stale'
        when m.waits then 'failed'
        when d.state in ('delivering', 'unknown') then 'pending'
        else d.state end,
      handled_dispatch = case
        when m.due then least(d.handled_dispatch, m.dispatch - 1)
        when m.returns or m.waits then m.dispatch
        else d.handled_dispatch end,
      last_error_code = case when m.waits then ${ACCOUNT_CHANGED} when m.returns or m.reopens then null else d.last_error_code end,
      last_error = case when m.waits then ${REASON} when m.returns or m.reopens then null else d.last_error end,
      next_attempt_at = null, updated_at = ${now}
    from moved m where m.id = d.id
    returning d.id, m.due or d.state = 'pending' as due`.execute(tx);
  await tx.deleteFrom('formerPosts').where('deliveryId', 'in', ids).where('accountId', '=', accountId).execute();
  return rows.filter(({ due }) => due).map(({ id }) => id);
}
