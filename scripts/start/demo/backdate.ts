/**
 * Backdates demo content. No public interface publishes, reads or subscribes in the past, so rows
 * are backdated, and page views are recorded with the clock of their day.
 */
import { createHash } from 'node:crypto';
import { findWeekBefore } from '../../../store/calendar/week.ts';
import type { Database } from '../../../store/db/database.ts';
import { confirmSubscription, findOrAddSubscription } from '../../../store/newsletter/subscribe.ts';
import { findDaySalt, toUtcDay } from '../../../store/page-views/day-salt.ts';
import { type PageView, recordPageViews } from '../../../store/page-views/record-page-views.ts';
import { createRoundup } from '../../../store/roundups/create-roundup.ts';
import { REFERRERS } from './content.ts';

const DAY_MS = 86_400_000;

export interface PastArticle {
  id: string;
  slug: string;
  /** Days ago. */
  day: number;
  views: number;
}

/** Skips articles with page views, so that an interrupted start can be repeated. */
export async function backdateArticles(db: Database, articles: readonly PastArticle[], now: Date): Promise<void> {
  for (const { id, day } of articles.filter(({ day }) => day > 0)) {
    const at = daysBefore(now, day);
    const dated = { createdAt: at, publishedAt: at, updatedAt: at };
    await db.updateTable('articles').set(dated).where('id', '=', id).execute();
  }
  const ids = articles.map(({ id }) => id);
  const read = await db.selectFrom('articleDays').select('articleId').where('articleId', 'in', ids).execute();
  const unread = articles.filter(({ id }) => !read.some(({ articleId }) => articleId === id));
  for (let day = 29; day >= 0; day--) {
    const at = daysBefore(now, day);
    const readings = unread.flatMap((article) => (article.day < day ? [] : generateReadings(article, day)));
    const utcDay = toUtcDay(at);
    await findDaySalt(db, utcDay);
    await recordPageViews(db, { readings, day: utcDay, now: at });
  }
  await createRoundup(db, findWeekBefore(now), now);
}

/** Adds confirmed newsletter subscriptions, each with an age in days. */
export async function addPastSubscriptions(
  db: Database,
  username: string,
  daysAgo: readonly number[],
  now: Date,
): Promise<void> {
  for (const [index, day] of daysAgo.entries()) {
    const at = daysBefore(now, day);
    const email = `reader-${index + 1}@example.org`;
    const { id } = await db.transaction().execute((tx) => findOrAddSubscription(tx, { username, email, now: at }));
    await confirmSubscription(db, id, at);
  }
}

/**
 * Generates page views: most on the first day, then fewer, with a small peak every seventh day.
 * Equal at every start.
 */
function generateReadings({ slug, day, views }: PastArticle, daysAgo: number): PageView[] {
  const age = day - daysAgo;
  const count = Math.round(views / (1 + age * 0.45) + (age % 7 === 0 ? 3 : 1));
  return Array.from({ length: count }, (_, index) => {
    const chance = hash(`${slug} ${daysAgo} ${index}`);
    return {
      slug,
      network: chance.subarray(0, 16),
      visitor: chance.subarray(16, 32),
      seconds: 20 + ((chance[0] ?? 0) % 200),
      host: REFERRERS[(chance[1] ?? 0) % REFERRERS.length] ?? 'direct',
    };
  });
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
