/**
 * Finds overdue deliveries and puts them into the outbox. Their workflow was lost with Temporal's
 * state, or a connection or the end of a suspension released them. Waking a running workflow is
 * harmless.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Longer than any healthy attempt. `due_at` includes pauses. */
const STALLED = sql`interval '3 minutes'`;
/** Above the period of this search, so that a lost workflow does not delay a scheduled article. */
const AHEAD = sql`interval '6 minutes'`;

/**
 * Puts up to `limit` stalled articles into the outbox; returns their number. Half of it is reserved
 * for schedules, which also use the part that deliveries leave. A result of `limit / 2` or more
 * means that there may be more. `now`: injected for tests.
 */
export async function wakeStalled(db: Database, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const at = sql`${now}::timestamptz`;
  const deliveries = await wake(db, selectStalledDeliveries(at), Math.ceil(limit / 2));
  return deliveries + (await wake(db, selectDueSchedules(at), limit - deliveries));
}

/** The database's clock, because `due_at` uses it. */
export async function readDatabaseTime(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? new Date();
}

/** `may_wait`: users' entries go first, because a search can find thousands. */
async function wake(db: Database, candidates: RawBuilder<unknown>, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`insert into outbox (article_id, may_wait)
    select f.id, true from (${candidates}) f
    where not exists (select from outbox o where o.article_id = f.id)
    order by f.due_at limit ${limit}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

function selectDueSchedules(at: RawBuilder<unknown>) {
  return sql`select a.id, a.scheduled_at as due_at from articles a join users u on u.id = a.author_id
    where a.status = 'SCHEDULED' and a.scheduled_at < ${at} + ${AHEAD} and u.suspended_at is null`;
}

/** Withdrawals of suspended authors remain due. */
function selectStalledDeliveries(at: RawBuilder<unknown>) {
  return sql`select a.id, min(d.due_at) as due_at from deliveries d join articles a on a.id = d.article_id join users u on u.id = a.author_id
    join connections c on c.user_id = a.author_id and c.destination = d.destination and c.status = 'active'
    where d.due_at < ${at} - ${STALLED} and (u.suspended_at is null
      or (select s.should_be_withdrawn from delivery_states s where s.article_id = d.article_id and s.destination = d.destination))
    group by a.id`;
}
