/** One page of the hourly sweep: starts the due digests. */
import { Context } from '@temporalio/activity';
import { hasEnded } from '../../store/digests/digest-row.ts';
import { type DueAuthor, type DueCursor, listDueAuthors } from '../../store/digests/due-authors.ts';
import { chooseDigestDate, listFarDueAuthors, moveDueDate } from '../../store/digests/due-date.ts';
import { startDigest } from '../../temporal/signals.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** Limits of one page; the first one reached ends it. */
export interface SweepBounds {
  /** Authors read at once. */
  page: number;
  /** Starts no more authors after this. Well below the activity's time-out. */
  withinMs: number;
}

const BOUNDS: SweepBounds = { page: 100, withinMs: 45_000 };
/** Parallel starts. */
const CONCURRENCY = 10;
/** Due dates moved back per sweep. Only a wrong clock sets them too far in the future. */
const MAX_RESET_DATES = 5_000;
/** Attempts of a page where every start fails. Then the next page follows. */
const MAX_PAGE_ATTEMPTS = 4;

export interface SweptPage {
  started: number;
  /** The start of the sweep: digests due later belong to the next sweep. */
  until: string;
  /** Null after the last page. */
  after: DueCursor | null;
}

export function createDigestSweepActivities({ db, workflowTarget, now }: ActivityDeps, bounds = BOUNDS) {
  async function startFor(author: DueAuthor): Promise<boolean> {
    const { userId, username } = author;
    const date = await chooseDigestDate(db, author, now());
    if (date === null) return false;
    const digest = { userId, username, date };
    if (await startDigest(workflowTarget, digest, 'ALLOW_DUPLICATE_FAILED_ONLY')) return true;
    // Its workflow is running or has completed. Completed with an open row, it ran too early: the
    // author moved the hour to later that day, or a clock was slow.
    if (!(await hasEnded(db, digest))) return startDigest(workflowTarget, digest, 'ALLOW_DUPLICATE');
    // The due date was set manually, or by an address change on the day of a refused digest.
    await db.transaction().execute((tx) => moveDueDate(tx, userId, now()));
    return false;
  }

  /** A failure for one author (an unknown time zone) does not stop the others. */
  async function resetFarDueDates(): Promise<void> {
    for (const userId of await listFarDueAuthors(db, { now: now(), limit: MAX_RESET_DATES })) {
      try {
        await db.transaction().execute((tx) => moveDueDate(tx, userId, now()));
      } catch (error) {
        Context.current().log.warn('could not reset the due time of a digest', { userId, err: error });
      }
    }
  }

  return {
    startDueDigests: (from: { until: string | null; after: DueCursor | null }): Promise<SweptPage> =>
      withHeartbeat(async () => {
        const startedAt = performance.now();
        const until = from.until ?? now().toISOString();
        const { page } = bounds;
        if (from.until === null) await resetFarDueDates();
        const due = await listDueAuthors(db, { until: new Date(until), after: from.after, limit: page });
        const results: PromiseSettledResult<boolean>[] = [];
        do {
          const batch = due.slice(results.length, results.length + CONCURRENCY);
          results.push(...(await Promise.allSettled(batch.map(startFor))));
        } while (results.length < due.length && performance.now() - startedAt < bounds.withinMs);
        reportFailures(results, due);
        const last = results.length < due.length || due.length === page ? due[results.length - 1] : undefined;
        return {
          started: results.filter((result) => result.status === 'fulfilled' && result.value).length,
          until,
          after: last ? { dueAt: last.dueAt.toISOString(), userId: last.userId } : null,
        };
      }),
  };
}

/**
 * If some starts failed, logs them; the next sweep retries those authors. If all failed, the cause
 * is probably here, so it throws and the page is retried a few times.
 */
function reportFailures(results: PromiseSettledResult<boolean>[], authors: DueAuthor[]): void {
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ userId: authors[index]?.userId, error: result.reason as Error }] : [],
  );
  const [first] = failures;
  const { info, log } = Context.current();
  if (first && failures.length === results.length && info.attempt < MAX_PAGE_ATTEMPTS) throw first.error;
  for (const { userId, error } of failures) {
    log.warn('could not start a digest', { userId, reason: error.message });
  }
}
