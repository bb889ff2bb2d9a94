/**
 * What a digest says: the seven whole days before its own, each number beside the same of the seven days before those, in the author's
 * zone. The rules are in docs/digest.md.
 */
import { type Kysely, sql } from 'kysely';
import { articleUrl } from '../articles/read.ts';
import type { DB } from '../db/types.ts';
import { findDiscussions } from './discussions.ts';
import { addDays, startOfDay } from './rhythm.ts';

/** A count of these seven days, and of the seven before. */
interface Change {
  now: number;
  before: number;
}

export interface DigestRequest {
  author: { id: string; name: string; username: string };
  /** The digest's own day; it tells of those before it. */
  date: string;
  zone: string;
  baseUrl: string;
  unsubscribeUrl: string;
}

const DAYS = 7;
const LISTED = 5;

export type DigestFacts = Awaited<ReturnType<typeof gatherDigest>>;

export async function gatherDigest(db: Kysely<DB>, request: DigestRequest) {
  const { author, date, zone, baseUrl, unsubscribeUrl } = request;
  const days = { from: addDays(date, -DAYS), before: addDays(date, -2 * DAYS), end: date };
  const bounds = {
    from: startOfDay(date, zone, -DAYS),
    before: startOfDay(date, zone, -2 * DAYS),
    end: startOfDay(date, zone),
  };
  const [articles, audience, newFollowers, discussions] = await Promise.all([
    countArticles(db, author.id, days, bounds),
    countAudience(db, author.id, bounds),
    listNewFollowers(db, author.id, bounds),
    findDiscussions(db, { authorId: author.id, from: bounds.from, end: bounds.end, baseUrl }),
  ]);
  return {
    author: { name: author.name, username: author.username },
    period: { from: days.from, to: addDays(date, -1), zone },
    views: sum(articles.map((article) => article.views)),
    readingSeconds: sum(articles.map((article) => article.readingSeconds)),
    reactions: sum(articles.map((article) => article.reactions)),
    ...audience,
    newFollowers,
    articles: articles
      .filter(({ status, views, reactions }) => status === 'PUBLISHED' && views.now + reactions.now > 0)
      .slice(0, LISTED)
      .map(({ title, slug, views, reactions }) => ({ title, url: articleUrl(baseUrl, slug), views, reactions })),
    discussions,
    settingsUrl: `${baseUrl}/settings`,
    unsubscribeUrl,
    siteUrl: baseUrl,
  };
}

/** Nothing happened in these days: what is less than the week before is nothing to write about either. */
export function hasNothingToSay(facts: DigestFacts): boolean {
  const { views, readingSeconds, reactions, subscribers, followers, discussions } = facts;
  const happened = [views, readingSeconds, reactions, subscribers, followers].some((change) => change.now > 0);
  return !happened && discussions.length === 0;
}

interface Span<T> {
  before: T;
  from: T;
  end: T;
}

interface CountedArticle {
  title: string;
  slug: string;
  status: string;
  views: Change;
  readingSeconds: Change;
  reactions: Change;
}

/** Every article of the author that was read or reacted to in either week, the most read first. What its author did does not count. */
async function countArticles(
  db: Kysely<DB>,
  authorId: string,
  days: Span<string>,
  times: Span<Date>,
): Promise<CountedArticle[]> {
  const { rows } = await sql<CountedArticle>`
    with read as (
      select article_id,
        coalesce(sum(views) filter (where day >= ${days.from}::date), 0)::float8 as views,
        coalesce(sum(views) filter (where day < ${days.from}::date), 0)::float8 as views_before,
        coalesce(sum(reading_seconds) filter (where day >= ${days.from}::date), 0)::float8 as seconds,
        coalesce(sum(reading_seconds) filter (where day < ${days.from}::date), 0)::float8 as seconds_before
      from article_days
      where article_id in (select id from articles where author_id = ${authorId})
        and day >= ${days.before}::date and day < ${days.end}::date
      group by article_id
    ), reacted as (
      select article_id,
        count(*) filter (where created_at >= ${times.from}) as reactions,
        count(*) filter (where created_at < ${times.from}) as reactions_before
      from reactions
      where article_id in (select id from articles where author_id = ${authorId})
        and created_at >= ${times.before} and created_at < ${times.end} and user_id <> ${authorId}
      group by article_id
    )
    select a.title, a.slug, a.status,
      json_build_object('now', coalesce(views, 0), 'before', coalesce(views_before, 0)) as views,
      json_build_object('now', coalesce(seconds, 0), 'before', coalesce(seconds_before, 0)) as reading_seconds,
      json_build_object('now', coalesce(reactions, 0), 'before', coalesce(reactions_before, 0)) as reactions
    from articles a left join read on read.article_id = a.id left join reacted on reacted.article_id = a.id
    where a.author_id = ${authorId} and (read.article_id is not null or reacted.article_id is not null)
    order by coalesce(read.views, 0) desc, coalesce(reacted.reactions, 0) desc, a.id`.execute(db);
  return rows;
}

/** New followers, and subscribers who confirmed and stayed. */
async function countAudience(db: Kysely<DB>, authorId: string, { before, from, end }: Span<Date>) {
  const { rows } = await sql<{ followers: Change; subscribers: Change }>`
    select f.counts as followers, s.counts as subscribers from
      (select json_build_object('now', count(*) filter (where created_at >= ${from}),
          'before', count(*) filter (where created_at < ${from})) as counts
        from followers where author_id = ${authorId} and created_at >= ${before} and created_at < ${end}) f,
      (select json_build_object('now', count(*) filter (where confirmed_at >= ${from}),
          'before', count(*) filter (where confirmed_at < ${from})) as counts
        from newsletter_subscribers where author_id = ${authorId} and confirmed_at >= ${before} and confirmed_at < ${end}
          and unsubscribed_at is null) s`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('the count of followers and subscribers answered no row');
  return counts;
}

async function listNewFollowers(db: Kysely<DB>, authorId: string, { from, end }: Span<Date>): Promise<string[]> {
  const rows = await db
    .selectFrom('followers')
    .innerJoin('users', 'users.id', 'followers.followerId')
    .select('users.name')
    .where('followers.authorId', '=', authorId)
    .where('followers.createdAt', '>=', from)
    .where('followers.createdAt', '<', end)
    .orderBy('followers.createdAt', 'desc')
    .limit(LISTED)
    .execute();
  return rows.map(({ name }) => name);
}

function sum(changes: Change[]): Change {
  const total = { now: 0, before: 0 };
  for (const { now, before } of changes) {
    total.now += now;
    total.before += before;
  }
  return total;
}
