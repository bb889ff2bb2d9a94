/** The weekly roundups: made once a week, in one transaction with the word to the authors; read by the site. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { addNotification } from '../notifications/notifications.ts';
import { type Candidate, pickBest } from './candidates.ts';
import { isWeekName, type RoundupWeek } from './week.ts';

/** Makes the week's roundup, or finds it made. Answers how many articles it features. */
export async function makeRoundup(db: Database, week: RoundupWeek, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    // Whoever comes second waits here for the first, and then finds the row.
    const made = await tx
      .insertInto('roundups')
      .values({ week: week.week, state: 'empty', at: now })
      .onConflict((conflict) => conflict.column('week').doNothing())
      .returning('week')
      .executeTakeFirst();
    if (!made) return countEntries(tx, week.week);
    const best = await pickBest(tx, week);
    if (best.length === 0) return 0;
    await tx.updateTable('roundups').set({ state: 'published' }).where('week', '=', week.week).execute();
    await tx.insertInto('roundupEntries').values(entriesOf(week.week, best)).execute();
    // In one order everywhere, since each locks its author's counter.
    for (const { authorId, articleId, title } of best.toSorted((a, b) => (a.authorId < b.authorId ? -1 : 1))) {
      await addNotification(tx, {
        userId: authorId,
        type: 'FEATURED_ROUNDUP',
        payload: { postTitle: title },
        dedupeKey: `roundup:${week.week}:${articleId}`,
        now,
      });
    }
    return best.length;
  });
}

export interface RoundupEntry {
  slug: string;
  title: string;
  excerpt: string | null;
  authorName: string;
  authorUsername: string;
}

/** What a week's roundup features, the best first; articles that were taken back are left out. Undefined where there is none. */
export async function findRoundup(db: Database, week: string): Promise<RoundupEntry[] | undefined> {
  if (!isWeekName(week)) return undefined;
  const roundup = await db
    .selectFrom('roundups')
    .select('week')
    .where('week', '=', week)
    .where('state', '=', 'published')
    .executeTakeFirst();
  if (!roundup) return undefined;
  return db
    .selectFrom('roundupEntries')
    .innerJoin('articles', 'articles.id', 'roundupEntries.articleId')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select(['articles.slug', 'articles.title', 'users.name as authorName', 'users.username as authorUsername'])
    .select(sql<string | null>`articles.derived ->> 'excerpt'`.as('excerpt'))
    .where('roundupEntries.week', '=', week)
    .where('articles.status', '=', 'PUBLISHED')
    .where('users.suspendedAt', 'is', null)
    .orderBy('roundupEntries.position')
    .execute();
}

/** The names of the weeks that have a roundup, the newest first. */
export async function listRoundups(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('roundups')
    .select('week')
    .where('state', '=', 'published')
    .orderBy('week', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ week }) => week);
}

function entriesOf(week: string, best: Candidate[]) {
  return best.map(({ authorId: _, title: _title, ...counted }, index) => ({ week, position: index + 1, ...counted }));
}

async function countEntries(db: Pick<Database, 'selectFrom'>, week: string): Promise<number> {
  const { count } = await db
    .selectFrom('roundupEntries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('week', '=', week)
    .executeTakeFirstOrThrow();
  return count;
}
