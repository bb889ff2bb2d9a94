/** Selects articles with a delivery that needs its author. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

/**
 * A condition on a row of `articles`. Checks only due, open and failed deliveries against the view,
 * because they are few. `offset 0` prevents PostgreSQL from computing states of other authors.
 */
export const needsAuthor = sql<boolean>`exists (select from deliveries d cross join lateral (
    select s.needs_author from delivery_states s where s.article_id = d.article_id and s.destination = d.destination offset 0) state
  where d.article_id = articles.id and state.needs_author and (d.due_at is not null
    or exists (select from delivery_attempts t where t.delivery_id = d.id and (t.ended_at is null or t.outcome = 'failed')))
  offset 0)`;

/** Counts at most `limit` articles. */
export async function countNeedingAuthor(db: Kysely<DB>, authorId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from (select from articles
    where author_id = ${authorId} and deleted_at is null and ${needsAuthor} limit ${limit}) needing`.execute(db);
  return rows[0]?.count ?? 0;
}
