/** Creates the weekly roundup and notifies its authors, in one transaction. */
import { sql, type Transaction } from 'kysely';
import type { RoundupWeek } from '../calendar/week.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { isListed } from '../lists/article-list.ts';
import { addNotification } from '../notifications/add.ts';
import { isNotSuspended } from '../users/suspensions.ts';

/** Creates the week's roundup unless it exists. Returns how many articles it features. */
export async function createRoundup(db: Database, week: RoundupWeek, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // A second run waits here for the first, and then finds its row.
    const inserted = await tx
      .insertInto('roundups')
      .values({ week: week.week, state: 'empty', at: now })
      .onConflict((conflict) => conflict.column('week').doNothing())
      .returning('week')
      .executeTakeFirst();
    if (!inserted) return countEntries(tx, week.week);
    const featured = await selectFeatured(tx, week);
    if (featured.length === 0) return 0;
    await tx.updateTable('roundups').set({ state: 'published' }).where('week', '=', week.week).execute();
    await tx.insertInto('roundupEntries').values(buildEntries(week.week, featured)).execute();
    // In a fixed order, since each notification locks its author's counter: prevents deadlocks.
    for (const { authorId, articleId, title } of featured.toSorted((a, b) => (a.authorId < b.authorId ? -1 : 1))) {
      await addNotification(tx, {
        userId: authorId,
        type: 'FEATURED_ROUNDUP',
        payload: { postTitle: title },
        link: `/roundup/${week.week}`,
        dedupeKey: `roundup:${week.week}:${articleId}`,
        now,
      });
    }
    return featured.length;
  });
}

function buildEntries(week: string, featured: Candidate[]) {
  return featured.map(({ authorId: _, title: _title, ...counted }, index) => ({
    week,
    position: index + 1,
    ...counted,
  }));
}

async function countEntries(db: Pick<Database, 'selectFrom'>, week: string): Promise<number> {
  const { count } = await db
    .selectFrom('roundupEntries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('week', '=', week)
    .executeTakeFirstOrThrow();
  return count;
}

export interface Candidate {
  articleId: string;
  authorId: string;
  title: string;
  score: number;
  views: number;
  reactions: number;
  /** Distinct users, without the author. */
  commenters: number;
}

const MAX_FEATURED = 10;
const MAX_PER_AUTHOR = 2;
const MIN_SCORE = 10;
/** Allows an article published on a Sunday evening to be featured a week later. */
const DAYS_BEFORE = 7;
const REACTION_WEIGHT = 5;
const COMMENTER_WEIGHT = 10;

/** Best first. Reactions and comments of the author and of suspended users do not count. */
export async function selectFeatured(tx: Transaction<DB>, { from, end }: RoundupWeek): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with candidates as (
      select articles.id, articles.author_id, articles.title, articles.published_at
      from articles join users on users.id = articles.author_id
      where articles.status = 'PUBLISHED' and ${isListed} and not articles.imported and articles.body <> ''
        and articles.published_at >= ${from}::timestamptz - make_interval(days => ${DAYS_BEFORE})
        and articles.published_at < ${end}
        and not exists (select 1 from roundup_entries e where e.article_id = articles.id)
    ), counted as (
      select c.*,
        (select coalesce(sum(d.views), 0)::int from article_days d where d.article_id = c.id
          and d.day >= ${formatDay(from)}::date and d.day < ${formatDay(end)}::date) as views,
        (select count(distinct r.user_id)::int from reactions r where r.article_id = c.id
          and r.created_at >= ${from} and r.created_at < ${end} and r.user_id <> c.author_id and ${isNotSuspended('r.userId')}) as reactions,
        (select count(distinct m.user_id)::int from comments m where m.article_id = c.id
          and m.deleted_at is null and m.hidden_at is null
          and m.created_at >= ${from} and m.created_at < ${end} and m.user_id <> c.author_id and ${isNotSuspended('m.userId')}) as commenters
      from candidates c
    ), scored as (
      select *, views + ${REACTION_WEIGHT} * reactions + ${COMMENTER_WEIGHT} * commenters as score from counted
    ), ranked as (
      select *, row_number() over (partition by author_id order by score desc, published_at, id) as place
      from scored where score >= ${MIN_SCORE}
    )
    select id as article_id, author_id, title, score, views, reactions, commenters from ranked
    where place <= ${MAX_PER_AUTHOR} order by score desc, published_at, id limit ${MAX_FEATURED}`.execute(tx);
  return rows;
}

function formatDay(midnight: Date): string {
  return midnight.toISOString().slice(0, 10);
}
