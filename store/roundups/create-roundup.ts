/** Creates the weekly roundup and notifies its authors, in one transaction. */
import type { RoundupWeek } from '../calendar/week.ts';
import type { Database } from '../db/database.ts';
import { addNotification } from '../notifications/add.ts';
import { type Candidate, selectFeatured } from './select-featured.ts';

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
