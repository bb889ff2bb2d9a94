/** Counts for a digest: its days, and as many days before them. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isNotSuspended } from '../users/suspensions.ts';

/** A count for the digest's days and for the days before. */
export interface Change {
  now: number;
  before: number;
}

export interface Span<T> {
  previousFrom: T;
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

/** Most read first. Reactions of the author and of suspended users do not count. */
export async function countArticles(
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
        and day >= ${days.previousFrom}::date and day < ${days.end}::date
      group by article_id
    ), reacted as (
      select article_id,
        count(*) filter (where created_at >= ${times.from}) as reactions,
        count(*) filter (where created_at < ${times.from}) as reactions_before
      from reactions
      where article_id in (select id from articles where author_id = ${authorId})
        and created_at >= ${times.previousFrom} and created_at < ${times.end} and user_id <> ${authorId}
        and ${isNotSuspended('reactions.userId')}
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

/** New followers, and new subscribers who have confirmed and not unsubscribed. */
export async function countAudience(db: Kysely<DB>, authorId: string, { previousFrom, from, end }: Span<Date>) {
  const { rows } = await sql<{ followers: Change; subscribers: Change }>`
    select f.counts as followers, s.counts as subscribers from
      (select json_build_object('now', count(*) filter (where created_at >= ${from}),
          'before', count(*) filter (where created_at < ${from})) as counts
        from followers where author_id = ${authorId} and created_at >= ${previousFrom} and created_at < ${end}
          and ${isNotSuspended('followers.followerId')}) f,
      (select json_build_object('now', count(*) filter (where confirmed_at >= ${from}),
          'before', count(*) filter (where confirmed_at < ${from})) as counts
        from newsletter_subscribers where author_id = ${authorId} and confirmed_at >= ${previousFrom} and confirmed_at < ${end}
          and unsubscribed_at is null) s`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('the count of followers and subscribers returned no row');
  return counts;
}

export async function listNewFollowers(
  db: Kysely<DB>,
  authorId: string,
  { from, end }: Span<Date>,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('followers')
    .innerJoin('users', 'users.id', 'followers.followerId')
    .select('users.name')
    .where('followers.authorId', '=', authorId)
    .where('followers.createdAt', '>=', from)
    .where('followers.createdAt', '<', end)
    .where('users.suspendedAt', 'is', null)
    .orderBy('followers.createdAt', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}
