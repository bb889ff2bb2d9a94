/** Counts events in each step of a range and in the whole range before it, per metric. */
import { type Kysely, sql } from 'kysely';
import { addDays } from '../calendar/days.ts';
import type { DayRange } from '../calendar/ranges.ts';
import type { DB } from '../db/types.ts';
import { isNotSuspended } from '../users/suspensions.ts';
import { isOfSubject, type Subject } from './list-sources.ts';

/** `followers` and `subscribers` apply to all articles only: nobody follows a single one. */
const METRICS = ['views', 'readingSeconds', 'reactions', 'comments', 'followers', 'subscribers'] as const;
export type Metric = (typeof METRICS)[number];

export interface Counts {
  /** One count per step of the range; 0 without events. */
  steps: number[];
  total: number;
  before: number;
}

export async function countSteps(db: Kysely<DB>, subject: Subject, range: DayRange): Promise<Record<Metric, Counts>> {
  const [readings, interactions] = await Promise.all([
    selectPageViews(subject, range).execute(db),
    selectInteractions(subject, range).execute(db),
  ]);
  const rows = [...readings.rows.flatMap(toMetrics), ...interactions.rows];
  const counts = METRICS.map((metric) => [metric, collectCounts(rows, metric, range.steps.length)]);
  return Object.fromEntries(counts) as Record<Metric, Counts>;
}

/** `place` as in `width_bucket`: 1 is the range before, 2 the gap between, from 3 on the steps. */
interface BucketCount {
  metric: Metric;
  place: number;
  count: number;
}

const FIRST_STEP = 3;

function collectCounts(rows: readonly BucketCount[], metric: Metric, length: number): Counts {
  const countByPlace = new Map(rows.filter((row) => row.metric === metric).map(({ place, count }) => [place, count]));
  const steps = Array.from({ length }, (_, n) => countByPlace.get(n + FIRST_STEP) ?? 0);
  return { steps, total: steps.reduce((sum, count) => sum + count, 0), before: countByPlace.get(1) ?? 0 };
}

function toMetrics({ place, views, seconds }: { place: number; views: number; seconds: number }): BucketCount[] {
  return [
    { metric: 'views', place, count: views },
    { metric: 'readingSeconds', place, count: seconds },
  ];
}

/** Days are in the author's zone, as they were counted. */
export function selectPageViews({ authorId, articleId }: Subject, { previous, steps, total }: DayRange) {
  const places = [previous.from, addDays(previous.to, 1), ...steps.map(({ from }) => from)];
  const source =
    articleId === null
      ? sql`author_days where author_id = ${authorId}`
      : sql`article_days where article_id = ${articleId}`;
  return sql<{ place: number; views: number; seconds: number }>`
    select width_bucket(day, ${places}::date[]) as place, sum(views)::float8 as views, sum(reading_seconds)::float8 as seconds
    from ${source} and day >= ${previous.from}::date and day <= ${total.to}::date group by place`;
}

/** Like the digest, excludes the author, suspended users and interactions that were undone. */
export function selectInteractions(subject: Subject, { previous, steps, total }: DayRange) {
  const { authorId } = subject;
  const places = [previous.begin, previous.end, ...steps.map(({ begin }) => begin)];
  const isWithin = (column: string) =>
    sql`${sql.ref(column)} >= ${previous.begin} and ${sql.ref(column)} < ${total.end}`;
  const people =
    subject.articleId === null
      ? sql`
      union all
      select 'followers', created_at from followers where author_id = ${authorId} and ${isWithin('createdAt')}
        and ${isNotSuspended('followers.followerId')}
      union all
      select 'subscribers', confirmed_at from newsletter_subscribers where author_id = ${authorId} and ${isWithin('confirmedAt')}
        and unsubscribed_at is null`
      : sql``;
  return sql<BucketCount>`
    select metric, width_bucket(at, ${places}::timestamptz[]) as place, count(*) from (
      select 'reactions' as metric, created_at as at from reactions where ${isOfSubject(subject, 'articleId')}
        and ${isWithin('createdAt')} and user_id <> ${authorId} and ${isNotSuspended('reactions.userId')}
      union all
      select 'comments', created_at from comments where ${isOfSubject(subject, 'articleId')}
        and ${isWithin('createdAt')} and user_id is distinct from ${authorId} and ${isNotSuspended('comments.userId')}
        and deleted_at is null and hidden_at is null
      ${people}
    ) happened group by metric, place`;
}
