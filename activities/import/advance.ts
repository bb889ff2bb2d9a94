/** The step of the import workflow: continues from the rows, then returns what follows. */
import { Context } from '@temporalio/activity';
import { SOURCES } from '../../sources/registry.ts';
import type { SourceResult } from '../../sources/types.ts';
import type { ImportState } from '../../store/db/types.ts';
import {
  countItems,
  endImport,
  findOpenItem,
  type ImportRow,
  loadImport,
  recordWait,
} from '../../store/imports/progress.ts';
import { storePage } from '../../store/imports/store-page.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../heartbeat.ts';
import { importItem } from './item.ts';
import { findFeedAccount } from './source-copy.ts';
import { type Advance, createRequestSpacing, createUnavailableHosts, type ImportStep } from './step.ts';

/** Well below the activity's time-out, so that every run makes progress. */
const MAX_RUN_MS = 10_000;
/** For one request, including redirects and a slow body. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Consecutive failures; the pauses between them add up to two hours. */
const MAX_FAILURES = 16;
const MAX_PAUSE_MS = 15 * 60_000;

export type ImportNext =
  | { kind: 'ended'; state: ImportState }
  | { kind: 'continue'; failures: number; done: number; listed: number }
  | { kind: 'wait'; afterMs: number; failures: number; done: number; listed: number };

export function createImportActivities(deps: ActivityDeps) {
  const pace = createRequestSpacing();
  const unavailableHosts = createUnavailableHosts();
  return {
    /** Idempotent: each post is stored with its article in one transaction. */
    advanceImport: ({ importId, failures }: { importId: string; failures: number }): Promise<ImportNext> =>
      withHeartbeat(async () => {
        const until = performance.now() + MAX_RUN_MS;
        let failed = failures;
        let step: ImportStep | undefined;
        do {
          const row = await loadImport(deps.db, importId);
          if (row === null) return { kind: 'ended', state: 'cancelled' };
          if (row.state !== 'running') return { kind: 'ended', state: row.state };
          step ??= buildStep(deps, row, { pace, unavailableHosts });
          const advance = await advanceOnce(step, row);
          if (advance === 'ended') continue;
          if (advance !== 'continue') return await pause(deps, row, advance, failed + 1);
          failed = 0;
        } while (performance.now() < until);
        return { kind: 'continue', failures: failed, ...(await countItems(deps.db, importId)) };
      }),
  };
}

function buildStep(
  deps: ActivityDeps,
  row: ImportRow,
  shared: Pick<ImportStep, 'pace' | 'unavailableHosts'>,
): ImportStep {
  const { now, allowPrivate, conversions } = deps;
  let account: Promise<string | null> | undefined;
  return {
    deps,
    ...shared,
    findAccount: () => (account ??= findFeedAccount(deps, row)),
    context: {
      timeoutMs: REQUEST_TIMEOUT_MS,
      signal: Context.current().cancellationSignal,
      now,
      allowPrivate,
      async readFeed(feed) {
        const reading = await conversions.readFeed(row.userId, feed);
        if (reading === 'busy') throw new Error('no thread was available to read the feed');
        return reading;
      },
    },
  };
}

async function advanceOnce(step: ImportStep, row: ImportRow): Promise<Advance> {
  if (row.cursor !== null) return list(step, row, row.cursor);
  const item = await findOpenItem(step.deps.db, row.id);
  if (item) return importItem(step, row, item);
  await endImport(step.deps.db, { importId: row.id, state: 'done', reason: null, now: step.deps.now() });
  return 'ended';
}

async function list(
  { deps, context, pace }: ImportStep,
  row: ImportRow,
  cursor: NonNullable<ImportRow['cursor']>,
): Promise<Advance> {
  const source = SOURCES[row.source];
  await pace.wait(cursor.url ?? row.place.baseUrl, source.intervalMs);
  const page = await source.list(row.place, cursor, context);
  if (page.kind === 'later') return page;
  if (page.kind === 'refused') {
    // The posts listed so far are imported.
    if (cursor.page === 1) {
      await endImport(deps.db, { importId: row.id, state: 'failed', reason: page.reason, now: deps.now() });
      return 'ended';
    }
    const message = `The list of posts is incomplete. ${page.reason}`;
    await storePage(deps.db, row, { posts: [], next: null, notices: [{ code: page.code, message }] });
    return 'continue';
  }
  const { posts, next, notices } = page.value;
  const recent = posts.filter(({ post }) => isSince(post.publishedAt, row.since));
  await storePage(deps.db, row, { posts: recent, next, notices });
  return 'continue';
}

/** Includes posts without a date: the author sees them in the report. */
function isSince(publishedAt: string | null, since: Date | null): boolean {
  return since === null || publishedAt === null || Date.parse(publishedAt) >= since.getTime();
}

async function pause(
  deps: ActivityDeps,
  row: ImportRow,
  { reason, retryAfterMs }: Extract<SourceResult<never>, { kind: 'later' }>,
  failures: number,
): Promise<ImportNext> {
  if (failures >= MAX_FAILURES) {
    const why = `${reason} ${failures} requests failed. Import again later: imported articles are not duplicated.`;
    await endImport(deps.db, { importId: row.id, state: 'failed', reason: why, now: deps.now() });
    return { kind: 'ended', state: 'failed' };
  }
  const afterMs = Math.max(retryAfterMs ?? 0, Math.min(MAX_PAUSE_MS, 1_000 * 2 ** (failures - 1)));
  await recordWait(deps.db, row.id, new Date(deps.now().getTime() + afterMs));
  return { kind: 'wait', afterMs, failures, ...(await countItems(deps.db, row.id)) };
}
