/**
 * Lists what changed for readers after a position, in order and without gaps. Transactions commit
 * in another order than they draw numbers. A row is listed once every transaction that may have
 * drawn an earlier number has ended.
 */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { isListed } from '../lists/article-list.ts';

/** A position between two changes. */
export interface ChangePosition {
  /** The database history in which `number` is valid. */
  epoch: string;
  number: number;
}

export interface ArticleChange {
  articleId: string;
  /** The public slug; the last one of a withdrawn article. */
  slug: string;
  /** `added`: the article became published and canonical after the requested position. */
  change: 'added' | 'changed' | 'withdrawn';
  at: Date;
  number: number;
}

/** The present epoch. A database that was moved or restored starts a new one. */
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

/** Oldest first, after a number. A row has its article's present state and replaces earlier ones. */
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

/** The number up to which the log is complete. Only transactions that write the log delay it. */
export async function findLastSettled(db: Database): Promise<number> {
  const { rows } = await sql<{ number: number }>`select last_settled_change() as number`.execute(db);
  return rows[0]?.number ?? 0;
}

export const CHANGE_CHANNEL = 'courant_changes';

/** Payload that replaces the cache tags if there are too many. */
export const ALL_CACHE_TAGS = 'everything';

export async function findLastChange(db: Database, authorId: string | null = null): Promise<Date | null> {
  const row = await db
    .selectFrom('articleChanges')
    .select('at')
    .$if(authorId !== null, (query) => query.where('authorId', '=', authorId as string))
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at ?? null;
}

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
