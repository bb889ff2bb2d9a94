/**
 * Finds stalled deliveries: rows that should be moving and are not, because their workflow is gone (Temporal's state was lost or restored).
 * They are put into the outbox; waking a workflow that is there after all does no harm.
 */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Longer than any healthy attempt takes; its pauses are recorded in the row. */
const STALLED = sql`interval '3 minutes'`;
/** A delivery is given up after a day; a week bounds what is looked through. */
const LOOKED_THROUGH = sql`interval '7 days'`;
/** Scheduled articles are woken before their time, so that a lost workflow makes none late: a little more than the period of this search. */
const AHEAD = sql`interval '6 minutes'`;

/** Puts up to `limit` stalled articles into the outbox and returns how many. `now` is the caller's, so that a test can be later. */
export async function wakeStalled(db: Database, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const at = sql`${now}::timestamptz`;
  // Two halves, each by an index of its own: the few that are scheduled soon, and the few that changed lately.
  const { numAffectedRows } = await sql`
    insert into outbox (article_id)
    select f.id from (
      select a.id, a.scheduled_at from articles a join users u on u.id = a.author_id
      where a.status = 'SCHEDULED' and a.scheduled_at < ${at} + ${AHEAD} and u.suspended_at is null
      union all
      select a.id, null from articles a join users u on u.id = a.author_id
      where a.status <> 'SCHEDULED' and a.dispatched_at between ${at} - ${LOOKED_THROUGH} and ${at} - ${STALLED} and exists (
        select 1 from connections c
        left join deliveries d on d.article_id = a.id and d.destination = c.destination
        where c.user_id = a.author_id and c.status = 'active'
        and coalesce(d.state, 'pending') <> 'held'
        and coalesce(d.handled_dispatch, 0) < a.dispatch and coalesce(d.skipped_dispatch, 0) < a.dispatch
        and coalesce(d.next_attempt_at, d.updated_at, a.dispatched_at) < ${at} - ${STALLED}
        and case
          when a.status = 'DRAFT' or d.withdraw_requested then
            (d.remote_id is not null and d.withdrawn_at is null) or exists (
              select 1 from delivery_attempts t where t.delivery_id = d.id and t.account_id = c.account_id and t.ended_at is null
            )
          else a.syndicate and not a.imported and u.suspended_at is null and a.body ~ '\\S'
            and (a.cross_post ->> c.destination)::boolean
          end
      )
    ) f
    where not exists (select 1 from outbox o where o.article_id = f.id)
    order by f.scheduled_at nulls last limit ${limit}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
