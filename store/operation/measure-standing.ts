/** What an operator wants to know of the rows: whether anything waits that should have gone, and who was seen last. One statement, one round trip. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

export interface Standing {
  /** What waits to be signalled to a workflow. */
  outboxRows: number;
  /** Of the oldest of them; 0 where there is none. */
  outboxAgeSeconds: number;
  /** Scheduled articles whose time has passed and that are not public yet. */
  lateSchedules: number;
  /** By how much the latest of them is late; 0 where none is. */
  latestScheduleSeconds: number;
  /** Since any worker was seen; null where none ever was. */
  workerUnseenSeconds: number | null;
  /** Since any worker reached Temporal; null where none ever did. */
  temporalUnseenSeconds: number | null;
}

export async function measureStanding(db: Database): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select outbox.*, late.*, sighted.*
    from (select count(*)::int as outbox_rows, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as outbox_age_seconds
        from outbox) outbox,
      (select count(*)::int as late_schedules, coalesce(extract(epoch from now() - min(scheduled_at)), 0)::float8 as latest_schedule_seconds
        from articles where status = 'SCHEDULED' and scheduled_at < now()) late,
      (select extract(epoch from now() - max(until) filter (where part = 'worker'))::float8 as worker_unseen_seconds,
        extract(epoch from now() - max(until) filter (where part = 'temporal'))::float8 as temporal_unseen_seconds
        from sightings where until > now() - interval '1 day') sighted`.execute(db);
  const [standing] = rows;
  if (!standing) throw new Error('a question without rows to choose from has one answer');
  return standing;
}
