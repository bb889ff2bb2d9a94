/** Lists the authors with a due digest page by page, for the hourly sweep. */
import { sql } from 'kysely';
import type { DigestRhythm } from '../calendar/digest-rhythm.ts';
import type { Database } from '../db/database.ts';

/** Where a page ended. Times are ISO 8601. */
export interface DueCursor {
  dueAt: string;
  userId: string;
}

export interface DueAuthor extends DigestRhythm {
  userId: string;
  username: string;
  dueAt: Date;
  suspended: boolean;
}

/** Authors with a digest due up to `until`, after the cursor, the longest overdue first. */
export async function listDueAuthors(
  db: Database,
  page: { until: Date; after: DueCursor | null; limit: number },
): Promise<DueAuthor[]> {
  const { rows } = await buildDueAuthorsQuery(page).execute(db);
  return rows;
}

/** Reads `digest_settings_due_idx`. The inner `limit 1` makes the planner find users by key. */
export function buildDueAuthorsQuery({ until, after, limit }: { until: Date; after: DueCursor | null; limit: number }) {
  const afterCursor = after ? sql`and (d.next_due_at, d.user_id) > (${after.dueAt}, ${after.userId})` : sql``;
  return sql<DueAuthor>`
    select d.user_id, users.username, d.next_due_at as due_at, d.frequency, d.weekday, d.hour, d.zone,
      users.suspended_at is not null as suspended
    from (
      select * from digest_settings d where d.next_due_at <= ${until} ${afterCursor}
      order by d.next_due_at, d.user_id limit ${limit}
    ) d cross join lateral (select username, suspended_at from users where id = d.user_id limit 1) users
    order by d.next_due_at, d.user_id`;
}
