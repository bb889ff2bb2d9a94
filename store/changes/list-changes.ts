/**
 * What changed for readers after a position, in order and without gaps. Transactions commit in another order than they draw numbers: a row is
 * shown once every transaction that may have drawn an earlier one has ended (migration 0027), so nothing can come to stand before a position
 * that was given out. Transactions that do not write the log are not waited for. What a row says is the present state of its article, so
 * an article's later change never hides behind an earlier one.
 */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { isListed } from '../lists/article-list.ts';

/** Between two changes. */
export interface ChangePosition {
  /** Of the history of the database in which it means something. */
  epoch: string;
  number: number;
}

export interface ArticleChange {
  articleId: string;
  /** As the public knows it; of what was withdrawn, the last one. */
  slug: string;
  /** Added: it became a published canonical article after the requested position. */
  change: 'added' | 'changed' | 'withdrawn';
  at: Date;
  number: number;
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
    await sql`select renew_change_epoch()`.execute(db);
  }
}

/** The oldest first, those after a number: 0 is the beginning. */
export async function listChanges(
  db: Database,
  { after, limit }: { after: number; limit: number },
): Promise<ArticleChange[]> {
  const settled = await findLastSettled(db);
  const { rows } = await sql<ArticleChange>`
    select c.article_id, c.at, c.number,
      case when state.is_listed then articles.slug else c.slug end as slug,
      case when not state.is_listed then 'withdrawn'
        when exists (select from article_changes f where f.article_id = c.article_id and f.appeared and f.number > ${after})
        then 'added' else 'changed' end as change
    from article_changes c
    left join articles on articles.id = c.article_id
    left join users on users.id = articles.author_id,
    lateral (select coalesce(${isListed}, false) as is_listed) state
    where c.number > ${after} and c.number <= ${settled}
    and not exists (select from article_changes later where later.article_id = c.article_id
      and later.number > c.number and later.number <= ${settled})
    order by c.number limit ${limit}`.execute(db);
  return rows;
}

/** Up to which the log is complete for whatever is asked next. */
export async function findLastSettled(db: Database): Promise<number> {
  const { rows } = await sql<{ number: number }>`select last_settled_change() as number`.execute(db);
  return rows[0]?.number ?? 0;
}
