/**
 * Finds stalled deliveries: rows that should be moving and are not, because their workflow is gone (Temporal's state was lost or restored).
 * They are put into the outbox; waking a workflow that is there after all does no harm. What should be moving is what
 * `delivery/next-step` would act on: `test/store/deliveries/stalled-situations.test.ts` compares the two in every situation.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Longer than any healthy attempt takes; its pauses are recorded in the row. */
const STALLED = sql`interval '3 minutes'`;
/** A delivery is given up after a day; a week bounds what is looked through. */
const LOOKED_THROUGH = sql`interval '7 days'`;
/** Scheduled articles are woken before their time, so that a lost workflow makes none late: a little more than the period of this search. */
const AHEAD = sql`interval '6 minutes'`;

/**
 * Puts up to `limit` stalled articles into the outbox and returns how many. Deliveries and schedules have half of it each, so that neither
 * waits for the other; what deliveries leave over goes to schedules. As long as it is half of `limit` or more, there may be others.
 * `now` is the caller's, so that a test can be later.
 */
export async function wakeStalled(db: Database, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const at = sql`${now}::timestamptz`;
  const deliveries = await wake(db, selectStalledDeliveries(at), Math.ceil(limit / 2));
  return deliveries + (await wake(db, selectDueSchedules(at), limit - deliveries));
}

/** Behind what somebody has just done: thousands may be found at once. */
async function wake(db: Database, found: RawBuilder<unknown>, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`insert into outbox (article_id, may_wait)
    select f.id, true from (${found}) f
    where not exists (select from outbox o where o.article_id = f.id)
    order by f.due_at limit ${limit}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** By the index of what is scheduled. */
function selectDueSchedules(at: RawBuilder<unknown>) {
  return sql`select a.id, a.scheduled_at as due_at from articles a join users u on u.id = a.author_id
    where a.status = 'SCHEDULED' and a.scheduled_at < ${at} + ${AHEAD} and u.suspended_at is null`;
}

/** By the index of what was dispatched lately: the few articles that changed within the week, and `offset 0` keeps it at their deliveries. */
function selectStalledDeliveries(at: RawBuilder<unknown>) {
  const changed = sql`from articles a join users u on u.id = a.author_id`;
  const lately = sql`a.dispatched_at between ${at} - ${LOOKED_THROUGH} and ${at} - ${STALLED}`;
  return sql`select a.id, a.dispatched_at as due_at ${changed}
      cross join lateral (select * from deliveries where article_id = a.id offset 0) d
      left join connections c on c.user_id = a.author_id and c.destination = d.destination
      left join delivery_attempts t on t.delivery_id = d.id and t.account_id = coalesce(c.account_id, d.account_id) and t.ended_at is null
    where ${lately} and coalesce(d.next_attempt_at, d.updated_at) < ${at} - ${STALLED} and case
      when t.answer ->> 'kind' <> 'unknown' then t.answer ->> 'kind' = 'done' or not ${WAS_ASKED}
      when t.action = 'create' then c.id is not null and d.state <> 'held' and not ${WAS_ASKED}
      else c.status = 'active' and d.skipped_dispatch < a.dispatch and ${IS_OPEN} and ${IS_DUE} end
    union
    select a.id, a.dispatched_at ${changed} join connections c on c.user_id = a.author_id
    where ${lately} and a.status = 'PUBLISHED' and c.status = 'active' and ${IS_SENT}
      and not exists (select from deliveries d where d.article_id = a.id and d.destination = c.destination)`;
}

/** What an attempt of unknown outcome made, its author was asked to find out. */
const WAS_ASKED = sql`(d.state = 'unknown' and d.handled_dispatch >= a.dispatch and c.id is not null)`;

/** Not answered for this publish, nor waiting for its author. */
const IS_OPEN = sql`case
  when d.state = 'held' then false
  when d.state in ('failed', 'unknown') then d.handled_dispatch < a.dispatch
  when a.status <> 'PUBLISHED' or d.withdraw_requested then true
  when d.state = 'delivered' then d.handled_dispatch < a.dispatch
  when d.state = 'stale' then d.handled_dispatch < a.dispatch or d.last_error_code is distinct from 'cannot_update'
  else true end`;

/** As JavaScript's \s; PostgreSQL's own depends on the locale. */
const SOME_TEXT = '[^\\s\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]';

const IS_SENT = sql`(a.syndicate and not a.imported and u.suspended_at is null and a.body ~ ${SOME_TEXT}
  and coalesce((a.cross_post ->> c.destination)::boolean, false))`;

/** A copy is to be withdrawn, which an update without an answer may have put back, or the article is to be sent. */
const IS_DUE = sql`case when a.imported and not d.withdraw_requested then false
  when a.status <> 'PUBLISHED' or d.withdraw_requested
  then d.remote_id is not null and (d.withdrawn_at is null or t.action is not distinct from 'update')
    and not (d.state = 'failed' and d.last_error_code is not distinct from 'cannot_withdraw')
  else ${IS_SENT} end`;
