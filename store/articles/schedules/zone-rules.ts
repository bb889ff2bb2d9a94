/**
 * Applies new time zone rules to schedules. A time with a zone name means the local clock there. If
 * newer rules map it to another moment, the schedule moves, its workflow is signalled and its
 * author notified.
 */
import { sql } from 'kysely';
import { findInZone, showInZone } from '../../../article/frontmatter/zoned-time.ts';
import { ZONE_RULES } from '../../../article/time-zone.ts';
import type { Database } from '../../db/database.ts';
import { enqueueArticle } from '../../outbox/enqueue.ts';
import { addArticleNotice } from '../article-notices.ts';

/** Whether this process has newer rules. An older process never overrides a newer one. */
export function hasOlderRules({ zone, rules }: { zone: string | null; rules: string | null }): boolean {
  return zone !== null && rules !== null && rules < ZONE_RULES;
}

/** Checks up to `limit` schedules of older rules, or only that of `articleId`; returns how many. */
export async function applyZoneRules(
  db: Database,
  { now, limit, articleId }: { now: Date; limit: number; articleId?: string },
): Promise<number> {
  const onlyArticle = articleId === undefined ? sql`` : sql`and id = ${articleId}`;
  const { rows } =
    await sql<Schedule>`select id, scheduled_at as at, scheduled_zone as zone, scheduled_local as local from articles
    where status = 'SCHEDULED' and scheduled_zone is not null ${onlyArticle}
    and scheduled_rules collate "C" < ${ZONE_RULES}
    order by scheduled_at limit ${limit}`.execute(db);
  for (const schedule of rows) await applyRules(db, schedule, now);
  return rows.length;
}

interface Schedule {
  id: string;
  at: Date;
  zone: string;
  /** Null for an offset. */
  local: string | null;
}

/** Applies only to the schedule that was read: its author may have moved it meanwhile. */
function applyRules(db: Database, schedule: Schedule, now: Date): Promise<void> {
  const { id, at, zone, local } = schedule;
  const moved = (local === null ? null : findInZone(local, zone, at)) ?? at;
  return db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`update articles
      set scheduled_at = ${moved}, scheduled_rules = ${ZONE_RULES}
      where id = ${id} and status = 'SCHEDULED' and date_trunc('milliseconds', scheduled_at) = ${at} and scheduled_zone = ${zone}
      and scheduled_local is not distinct from ${local}`.execute(tx);
    if (numAffectedRows === 0n || moved.getTime() === at.getTime() || local === null) return;
    await addArticleNotice(tx, {
      articleId: id,
      code: 'schedule_moved',
      message: describeMove({ ...schedule, local }, moved),
      dedupeKey: buildMoveKey(id, moved),
      now,
    });
    await enqueueArticle(tx, id);
  });
}

/** Dedupe key of the notice for a schedule that was moved to that time. */
export function buildMoveKey(articleId: string, to: Date): string {
  return `moved:${articleId}:${to.toISOString()}`;
}

function describeMove({ at, zone, local }: Schedule & { local: string }, moved: Date): string {
  const shown = showInZone(moved, zone);
  const skipped = shown === local ? '' : ` That local time no longer exists, so the article is published at ${shown}.`;
  return `Scheduled for ${local.replace('T', ' ').slice(0, 16)} in ${zone}: the rules of that time zone have changed, so this is now ${moved.toISOString()}, previously ${at.toISOString()}.${skipped}`;
}
