/** Explains why a scheduled article was published late. States only recorded facts. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../../db/types.ts';
import { type Absence, findAbsence } from '../../sightings/record-sighting.ts';
import { buildMoveKey } from './zone-rules.ts';

export interface LateArticle {
  articleId: string;
  dueAt: Date;
  now: Date;
}

/** A shorter queue is not reported as a cause. */
const MIN_REPORTED_QUEUE = 10;
/** Counting stops above this number. */
const MAX_COUNTED = 1_000;

/** Returns the end of a sentence, without its full stop. */
export async function describeLateness(db: Kysely<DB>, late: LateArticle): Promise<string> {
  const { articleId, dueAt, now } = late;
  if (await findNotice(db, buildHeldKey(articleId, dueAt))) return 'your account was suspended at the time';
  const moved = await findNotice(db, buildMoveKey(articleId, dueAt));
  if (moved && moved.createdAt > dueAt) {
    return `new rules of its time zone moved it to this time, and this site received them only at ${moved.createdAt.toISOString()}`;
  }
  const interval = { from: dueAt, to: now };
  const worker = await findAbsence(db, 'worker', interval);
  const temporal = await findAbsence(db, 'temporal', interval);
  const outage =
    describeAbsence('no worker was running or could reach the database', worker) ??
    describeAbsence('Temporal could not be reached', temporal);
  const before = await countPublishedBefore(db, late);
  const queue =
    before < MIN_REPORTED_QUEUE
      ? null
      : `${before > MAX_COUNTED ? `more than ${MAX_COUNTED}` : before} other scheduled articles were published first`;
  if (outage !== null) return queue === null ? outage : `${outage}; then ${queue}`;
  if (queue !== null) return queue;
  return worker === null && temporal === null
    ? 'the cause is not known; the service was running'
    : 'the cause is not known';
}

/** Dedupe key of the notice for a schedule that was due while its author was suspended. */
export function buildHeldKey(articleId: string, dueAt: Date): string {
  return `held:${articleId}:${dueAt.toISOString()}`;
}

function describeAbsence(problem: string, absence: Absence | 'unknown' | null): string | null {
  if (absence === null || absence === 'unknown') return null;
  return `${problem} from ${absence.from.toISOString()} to ${absence.to.toISOString()}`;
}

function findNotice(db: Kysely<DB>, dedupeKey: string) {
  return db.selectFrom('articleNotices').select('createdAt').where('dedupeKey', '=', dedupeKey).executeTakeFirst();
}

/** Counts schedules that fired between the article's time and now. */
async function countPublishedBefore(db: Kysely<DB>, { articleId, dueAt, now }: LateArticle): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from articles where fired_at between ${dueAt} and ${now} and id <> ${articleId} limit ${MAX_COUNTED + 1}) fired`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
