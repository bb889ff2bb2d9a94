/**
 * Finds deliveries that have been due for too long, because their workflow is gone (Temporal's state was lost or
 * restored) or because a connection or the end of a suspension has released them. Puts them into the outbox. Waking a
 * running workflow is harmless.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Longer than any healthy attempt. Its pauses are stored in `due_at`. */
const STALLED = sql`interval '3 minutes'`;
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

/** By the database's clock, as what is compared with it. */
export async function readTime(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? new Date();
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

/** By the index of what is due, without a horizon. What a suspended author has out there is still taken back. */
function selectStalledDeliveries(at: RawBuilder<unknown>) {
  return sql`select a.id, min(d.due_at) as due_at from deliveries d join articles a on a.id = d.article_id join users u on u.id = a.author_id
    join connections c on c.user_id = a.author_id and c.destination = d.destination and c.status = 'active'
    where d.due_at < ${at} - ${STALLED} and (u.suspended_at is null
      or (select s.should_be_withdrawn from delivery_states s where s.article_id = d.article_id and s.destination = d.destination))
    group by a.id`;
}
