/** What happened in each step of a range, and in all of the range before: one row of numbers for each kind. */
import { type Kysely, sql } from 'kysely';
import { addDays } from '../../calendar/days.ts';
import type { DayRange } from '../../calendar/ranges.ts';
import type { DB } from '../db/types.ts';
import { takesPart } from '../users/suspensions.ts';
import { isOfSubject, type Subject } from './subject.ts';

/** Of people: only for all articles, since nobody follows a single one. */
const METRICS = ['views', 'readingSeconds', 'reactions', 'comments', 'followers', 'subscribers'] as const;
export type Metric = (typeof METRICS)[number];

export interface Counts {
  /** As many as the range has steps; where nothing happened it is 0. */
  steps: number[];
  total: number;
  before: number;
}

export async function countSteps(db: Kysely<DB>, subject: Subject, range: DayRange): Promise<Record<Metric, Counts>> {
  const [readings, interactions] = await Promise.all([
    selectReadings(subject, range).execute(db),
    selectInteractions(subject, range).execute(db),
  ]);
  const rows = [...readings.rows.flatMap(toMetrics), ...interactions.rows];
  const counts = METRICS.map((metric) => [metric, gather(rows, metric, range.steps.length)]);
  return Object.fromEntries(counts) as Record<Metric, Counts>;
}

/** Place 1 is the range before, 2 lies between, and from 3 on there are the steps: as `width_bucket` counts. */
interface Placed {
  metric: Metric;
  place: number;
  count: number;
}

const FIRST_STEP = 3;

function gather(rows: readonly Placed[], metric: Metric, length: number): Counts {
  const own = new Map(rows.filter((row) => row.metric === metric).map(({ place, count }) => [place, count]));
  const steps = Array.from({ length }, (_, n) => own.get(n + FIRST_STEP) ?? 0);
  return { steps, total: steps.reduce((sum, count) => sum + count, 0), before: own.get(1) ?? 0 };
}

function toMetrics({ place, views, seconds }: { place: number; views: number; seconds: number }): Placed[] {
  return [
    { metric: 'views', place, count: views },
    { metric: 'readingSeconds', place, count: seconds },
  ];
}

/** Days that were counted in the author's zone when they were read. */
export function selectReadings({ authorId, articleId }: Subject, { before, steps, whole }: DayRange) {
  const places = [before.from, addDays(before.to, 1), ...steps.map(({ from }) => from)];
  const source =
    articleId === null
      ? sql`author_days where author_id = ${authorId}`
      : sql`article_days where article_id = ${articleId}`;
  return sql<{ place: number; views: number; seconds: number }>`
    select width_bucket(day, ${places}::date[]) as place, sum(views)::float8 as views, sum(reading_seconds)::float8 as seconds
    from ${source} and day >= ${before.from}::date and day <= ${whole.to}::date group by place`;
}

/** What the author did, and what people did who are suspended, does not count, as in the digest; nor what was taken back since. */
export function selectInteractions(subject: Subject, { before, steps, whole }: DayRange) {
  const { authorId } = subject;
  const places = [before.begin, before.end, ...steps.map(({ begin }) => begin)];
  const isWithin = (column: string) => sql`${sql.ref(column)} >= ${before.begin} and ${sql.ref(column)} < ${whole.end}`;
  const people =
    subject.articleId === null
      ? sql`
      union all
      select 'followers', created_at from followers where author_id = ${authorId} and ${isWithin('createdAt')}
        and ${takesPart('followers.followerId')}
      union all
      select 'subscribers', confirmed_at from newsletter_subscribers where author_id = ${authorId} and ${isWithin('confirmedAt')}
        and unsubscribed_at is null`
      : sql``;
  return sql<Placed>`
    select metric, width_bucket(at, ${places}::timestamptz[]) as place, count(*) from (
      select 'reactions' as metric, created_at as at from reactions where ${isOfSubject(subject, 'articleId')}
        and ${isWithin('createdAt')} and user_id <> ${authorId} and ${takesPart('reactions.userId')}
      union all
      select 'comments', created_at from comments where ${isOfSubject(subject, 'articleId')}
        and ${isWithin('createdAt')} and user_id is distinct from ${authorId} and ${takesPart('comments.userId')}
        and deleted_at is null and hidden_at is null
      ${people}
    ) happened group by metric, place`;
}
