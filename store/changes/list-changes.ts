/**
 * What changed for readers after a position, in order and without gaps. Transactions commit in another order than they begin: a row is shown
 * once every transaction that is as old has ended, so nothing can come to stand before a position that was given out. What a row says is
 * the present state of its article, so an article's later change never hides behind an earlier one.
 */
import { sql } from 'kysely';
import { isOldestCanonical } from '../articles/find-for-readers.ts';
import type { Database } from '../db/database.ts';

/** Between two changes. The numbers are too large for a JavaScript number. */
export interface ChangePosition {
  /** Of the history of the database in which it means something. */
  epoch: string;
  transaction: string;
  number: string;
}

export interface ArticleChange {
  articleId: string;
  /** As the public knows it; of what was withdrawn, the last one. */
  slug: string;
  /** Added: it became public after the position that was asked for. */
  change: 'added' | 'changed' | 'withdrawn';
  /** Whether agents find a document of it. */
  isOldestCanonical: boolean;
  at: Date;
  transaction: string;
  number: string;
}

/** The present epoch. A database that was moved to another cluster, or brought back to an earlier moment, begins a new one. */
export async function findChangeEpoch(db: Database): Promise<string> {
  for (;;) {
    const { rows } = await sql<{ id: string; isPresent: boolean }>`
      select id, history = database_history() as "isPresent" from change_epoch`.execute(db);
    const [epoch] = rows;
    if (!epoch)
      throw new Error(
        'change_epoch has no row; restore it with: insert into change_epoch (history) values (database_history())',
      );
    if (epoch.isPresent) return epoch.id;
    await sql`select begin_change_epoch()`.execute(db);
  }
}

/** The oldest first; without a position from the beginning. */
export async function listChanges(
  db: Database,
  { after, limit }: { after: Pick<ChangePosition, 'transaction' | 'number'> | null; limit: number },
): Promise<ArticleChange[]> {
  const { transaction, number } = after ?? { transaction: '0', number: '0' };
  const position = sql`(${transaction}::xid8, ${number}::bigint)`;
  const { rows } = await sql<ArticleChange>`
    with settled as (select pg_snapshot_xmin(pg_current_snapshot()) as xmin)
    select c.article_id, c.at, c.xid::text as transaction, c.number::text,
      case when state.is_public then articles.slug else c.slug end as slug,
      case when not state.is_public then 'withdrawn'
        when exists (select from article_changes f where f.article_id = c.article_id and f.appeared and (f.xid, f.number) > ${position})
        then 'added' else 'changed' end as change,
      state.is_public and ${isOldestCanonical} as is_oldest_canonical
    from settled, article_changes c
    left join articles on articles.id = c.article_id
    left join users on users.id = articles.author_id,
    lateral (select coalesce(articles.status = 'PUBLISHED' and users.suspended_at is null, false) as is_public) state
    where (c.xid, c.number) > ${position} and c.xid < settled.xmin
    and not exists (select from article_changes later where later.article_id = c.article_id
      and (later.xid, later.number) > (c.xid, c.number) and later.xid < settled.xmin)
    order by c.xid, c.number limit ${limit}`.execute(db);
  return rows;
}
