/**
 * Limits the log of changes to the size of the site: per article its newest row and the newest row
 * by which it appeared.
 */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { findLastSettled } from './list-changes.ts';

/** Articles per batch. Each has at least one row too many, unless that row is not settled yet. */
const BATCH_ARTICLES = 5_000;

export async function pruneChanges(db: Database): Promise<void> {
  for (;;) {
    const settled = await findLastSettled(db);
    const { numAffectedRows = 0n } = await sql`
      delete from article_changes where number in (
        select c.number from article_changes c
        where c.article_id in (select article_id from article_changes group by article_id having count(*) > 2 limit ${BATCH_ARTICLES})
        and exists (select from article_changes later where later.article_id = c.article_id
          and later.number > c.number and later.number <= ${settled})
        and not (c.appeared and not exists (select from article_changes later where later.article_id = c.article_id
          and later.appeared and later.number > c.number))
        for update skip locked)`.execute(db);
    if (numAffectedRows < BATCH_ARTICLES) return;
  }
}
