/** Which articles have a delivery that goes on only if their author does something. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isLive, isPerhapsBack } from './copies.ts';

/**
 * A condition on a row of `articles`. Refused, held or of unknown outcome, and not let be by a skip; where nothing stands there, nor may, and nothing is
 * wanted there any more, there is nothing to do. `describeCell` of the desk says the same of one delivery.
 */
export const needsAuthor = sql<boolean>`exists (select from deliveries d where d.article_id = articles.id
  and d.state in ('failed', 'held', 'unknown') and d.last_error_code is distinct from 'skipped'
  and (d.state = 'unknown' or ${isLive} or ${isPerhapsBack}
    or (articles.status = 'PUBLISHED' and articles.syndicate and not articles.imported and not d.withdraw_requested
      and coalesce((articles.cross_post ->> d.destination)::boolean, false))))`;

/** How many of one's own articles do; counted up to `most`. */
export async function countNeedingAuthor(db: Kysely<DB>, authorId: string, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from (select from articles
    where author_id = ${authorId} and deleted_at is null and ${needsAuthor} limit ${most}) needing`.execute(db);
  return rows[0]?.count ?? 0;
}
