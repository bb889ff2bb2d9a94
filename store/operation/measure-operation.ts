/** Measures overdue rows and the last sighting of workers, for operators. One statement. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

export interface OperationStatus {
  /** Rows to be signalled to a workflow. */
  outboxRows: number;
  /** Age of the oldest row; 0 if there is none. */
  outboxAgeSeconds: number;
  /** Scheduled articles past their time that are not public yet. */
  lateSchedules: number;
  /** Delay of the longest overdue one; 0 if there is none. */
  latestScheduleSeconds: number;
  /** Time since a worker was seen; null if none was seen within a day. */
  workerUnseenSeconds: number | null;
  /** Time since a worker reached Temporal; null if none did within a day. */
  temporalUnseenSeconds: number | null;
}

export async function measureOperation(db: Database): Promise<OperationStatus> {
  const { rows } = await sql<OperationStatus>`
    select outbox.*, late.*, sighted.*
    from (select count(*)::int as outbox_rows, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as outbox_age_seconds
        from outbox) outbox,
      (select count(*)::int as late_schedules, coalesce(extract(epoch from now() - min(scheduled_at)), 0)::float8 as latest_schedule_seconds
        from articles where status = 'SCHEDULED' and scheduled_at < now()) late,
      (select extract(epoch from now() - max(until) filter (where part = 'worker'))::float8 as worker_unseen_seconds,
        extract(epoch from now() - max(until) filter (where part = 'temporal'))::float8 as temporal_unseen_seconds
        from sightings where until > now() - interval '1 day') sighted`.execute(db);
  const [status] = rows;
  if (!status) throw new Error('a query without a FROM clause returned no row');
  return status;
}
