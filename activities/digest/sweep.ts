/** A page of the hourly sweep: reads the authors whose digest is due and starts theirs. */
import { Context } from '@temporalio/activity';
import { hasEnded } from '../../store/digests/digest-row.ts';
import { type DueAuthor, type DueCursor, listDueAuthors } from '../../store/digests/due-authors.ts';
import { chooseDigestDate, passDueDate } from '../../store/digests/due-date.ts';
import { startDigest, startDigestAgain } from '../../temporal/start-digest.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../heartbeat.ts';

const PAGE = 100;
/** Starts in flight at once. */
const WIDTH = 10;

export interface SweptPage {
  started: number;
  /** The sweep's own moment: what becomes due while it runs is the next one's. */
  until: string;
  /** Null after the last page. */
  after: DueCursor | null;
}

export function digestSweepActivities({ db, actors, now }: ActivityDeps) {
  /** Answers whether a digest was started. */
  async function startFor(author: DueAuthor): Promise<boolean> {
    const { userId, username } = author;
    const date = await chooseDigestDate(db, author, now());
    if (date === null) return false;
    if (await startDigest(actors, { userId, username, date })) return true;
    // It runs, or it came to its end. Without an ended row it looked too early: its author moved the hour to later on the same day, or a
    // clock was behind.
    if (!(await hasEnded(db, { userId, date }))) return startDigestAgain(actors, { userId, username, date });
    // The hour was moved after the mail, or the ending was lost.
    await passDueDate(db, { userId, date }, now());
    return false;
  }

  return {
    startDueDigests: (from: { until: string | null; after: DueCursor | null }): Promise<SweptPage> =>
      withHeartbeat(async () => {
        const until = from.until ?? now().toISOString();
        const authors = await listDueAuthors(db, { until: new Date(until), after: from.after, limit: PAGE });
        const results: PromiseSettledResult<boolean>[] = [];
        for (let first = 0; first < authors.length; first += WIDTH) {
          const some = authors.slice(first, first + WIDTH);
          results.push(...(await Promise.allSettled(some.map(startFor))));
        }
        reportFailures(results, authors);
        const last = authors.length === PAGE ? authors.at(-1) : undefined;
        return {
          started: results.filter((result) => result.status === 'fulfilled' && result.value).length,
          until,
          after: last ? { dueAt: last.dueAt.toISOString(), userId: last.userId } : null,
        };
      }),
  };
}

/** One author's trouble is not the others': where some could be started, the rest waits for the next sweep. */
function reportFailures(results: PromiseSettledResult<boolean>[], authors: DueAuthor[]): void {
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ userId: authors[index]?.userId, error: result.reason as Error }] : [],
  );
  const [first] = failures;
  if (first && failures.length === results.length) throw first.error;
  for (const { userId, error } of failures) {
    Context.current().log.warn('a digest could not be started', { userId, reason: error.message });
  }
}
