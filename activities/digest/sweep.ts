/** One page of the hourly sweep: starts the digests of the authors for whom one is due. */
import { Context } from '@temporalio/activity';
import { hasEnded } from '../../store/digests/digest-row.ts';
import { type DueAuthor, type DueCursor, listDueAuthors } from '../../store/digests/due-authors.ts';
import { chooseDigestDate, listFarDueAuthors, moveDueDate } from '../../store/digests/due-date.ts';
import { startDigest, startDigestAgain } from '../../temporal/start-digest.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** Where a page of the sweep ends, whichever is first. */
export interface SweepBounds {
  /** Authors read at once. */
  page: number;
  /** No further authors are begun after this time. Well below the time-out of the activity, so that every page gets further, however slow. */
  withinMs: number;
}

const BOUNDS: SweepBounds = { page: 100, withinMs: 45_000 };
/** Starts in flight at once. */
const WIDTH = 10;
/** Due moments brought back by one sweep; there are none unless a clock was wrong. */
const RECALLED = 5_000;
/** A page of which everything fails is tried this often. Then those behind it have their turn, and the next sweep tries it again. */
const PAGE_ATTEMPTS = 4;

export interface SweptPage {
  started: number;
  /** When the sweep started: digests that become due later belong to the next sweep. */
  until: string;
  /** Null after the last page. */
  after: DueCursor | null;
}

export function createDigestSweepActivities({ db, actors, now }: ActivityDeps, bounds = BOUNDS) {
  /** Returns whether a digest was started. */
  async function startFor(author: DueAuthor): Promise<boolean> {
    const { userId, username } = author;
    const date = await chooseDigestDate(db, author, now());
    if (date === null) return false;
    if (await startDigest(actors, { userId, username, date })) return true;
    // Its workflow is running or has completed. If it completed and the row has not ended, it ran too early: the author moved the hour to later on the
    // same day, or a clock was behind.
    if (!(await hasEnded(db, { userId, date }))) return startDigestAgain(actors, { userId, username, date });
    // The due date was set by hand, or by a change of the address on the day of a refused digest.
    await db.transaction().execute((tx) => moveDueDate(tx, userId, now()));
    return false;
  }

  /** One author's failure, of a zone that is not known here, does not stop the others. */
  async function recallFarDueDates(): Promise<void> {
    for (const userId of await listFarDueAuthors(db, { now: now(), limit: RECALLED })) {
      try {
        await db.transaction().execute((tx) => moveDueDate(tx, userId, now()));
      } catch (error) {
        Context.current().log.warn('a due moment could not be brought back', { userId, err: error });
      }
    }
  }

  return {
    startDueDigests: (from: { until: string | null; after: DueCursor | null }): Promise<SweptPage> =>
      withHeartbeat(async () => {
        const begun = performance.now();
        const until = from.until ?? now().toISOString();
        const { page } = bounds;
        if (from.until === null) await recallFarDueDates();
        const due = await listDueAuthors(db, { until: new Date(until), after: from.after, limit: page });
        const results: PromiseSettledResult<boolean>[] = [];
        do {
          const some = due.slice(results.length, results.length + WIDTH);
          results.push(...(await Promise.allSettled(some.map(startFor))));
        } while (results.length < due.length && performance.now() - begun < bounds.withinMs);
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
 * One author's failure does not stop the others: if some were started, the failed ones wait for the next sweep. If all failed, which is more
 * likely our fault than theirs, the page is tried again a few times.
 */
function reportFailures(results: PromiseSettledResult<boolean>[], authors: DueAuthor[]): void {
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ userId: authors[index]?.userId, error: result.reason as Error }] : [],
  );
  const [first] = failures;
  const { info, log } = Context.current();
  if (first && failures.length === results.length && info.attempt < PAGE_ATTEMPTS) throw first.error;
  for (const { userId, error } of failures) {
    log.warn('a digest could not be started', { userId, reason: error.message });
  }
}
