/** Reads roundups for the site. */
import { sql } from 'kysely';
import { isWeekName } from '../calendar/week.ts';
import type { Database } from '../db/database.ts';

export interface RoundupEntry {
  slug: string;
  title: string;
  excerpt: string;
  authorName: string;
  authorUsername: string;
}

/** The week's articles that are still public, best first. Undefined without a roundup. */
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
    .select(sql<string>`coalesce(articles.derived ->> 'excerpt', '')`.as('excerpt'))
    .where('roundupEntries.week', '=', week)
    .where('articles.status', '=', 'PUBLISHED')
    .where('users.suspendedAt', 'is', null)
    .orderBy('roundupEntries.position')
    .execute();
}

/** Null if there is no roundup yet. */
export async function findNewestRoundup(db: Database): Promise<{ week: string; entries: RoundupEntry[] } | null> {
  const [newest] = await listRoundups(db, 1);
  const entries = newest && (await findRoundup(db, newest.week));
  return newest && entries ? { week: newest.week, entries } : null;
}

/** The weeks that have a roundup and when each was created, newest first. */
export function listRoundups(db: Database, limit: number) {
  return db
    .selectFrom('roundups')
    .select(['week', 'at'])
    .where('state', '=', 'published')
    .orderBy('week', 'desc')
    .limit(limit)
    .execute();
}
