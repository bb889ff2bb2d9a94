/**
 * Derives articles after their publish (code highlighting, description), one at a time and at low
 * priority. Articles published by this instance come first. Those of the sweep follow when neither
 * the outbox nor a schedule is due.
 * Deriving an article again has the same result, so it may be interrupted at any point.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { listUnderived } from '../../store/articles/derived.ts';
import type { Database } from '../../store/db/database.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import { acquireLease, releaseLease } from '../../store/leases/lease.ts';
import { hasDueWork } from '../../store/outbox/lease.ts';
import { deriveStoredArticle } from '../documents/derive-stored.ts';
import { createDocumentPool, type DocumentPool } from '../documents/pool.ts';
import { type Pause, sleep, startLoop } from './loop.ts';

export interface Deriver {
  /** Reports an article that this instance published. */
  nudge(articleId: string): void;
  /** Aborts the article in progress, which stays as it was. */
  stop(): Promise<void>;
}

/** Articles that share one `MAX_WAIT_MS`, and those that the sweep lists at once. */
const BATCH = 20;
/** Beyond this number, the sweep finds published articles. */
const MAX_FRESH = 1_000;
/** No article is started while publishes follow each other: even on an idle core it delays them. */
const QUIET_MS = 500;
/** After this wait, articles are derived even if publishes continue. */
const MAX_WAIT_MS = 30_000;
/** Interval of the check whether the outbox or a schedule is due. */
const DUE_CHECK_MS = 1_000;
const SWEEP_MS = 60_000;
/** Long, because a busy machine gives this priority little time. */
const TIME_LIMIT_MS = 120_000;
/** No job has a longer time limit, so a document that is too complex here is described briefly. */
const JOB_OPTIONS = { owner: 'deriver', whenTooComplex: 'describe briefly' } as const;

export function createDerivingPool(): DocumentPool {
  return createDocumentPool({ inBackground: true, maxThreads: 1, timeLimitMs: TIME_LIMIT_MS });
}

/** Closes `documents` when it stops. */
export function startDeriver(deps: {
  db: Database;
  documents: DocumentPool;
  log: FastifyBaseLogger;
  baseUrl: string;
}): Deriver {
  const { db, documents, log, baseUrl } = deps;
  /** Failed for a reason outside the document. Derived again at their next read or restart. */
  const failed = new Set<string>();
  /** Published by this instance and not derived yet. */
  const fresh = new Set<string>();
  const sweep = createDeriveSweep(db);
  let lastPublish = -QUIET_MS;
  /** The end of the wait for due work; undefined while nothing waits. */
  let dueDeadline: number | undefined;

  const waitForQuiet = async (until: number, stopping: AbortSignal) => {
    for (;;) {
      const quietIn = Math.min(lastPublish + QUIET_MS, until) - performance.now();
      if (quietIn <= 0 || stopping.aborted) return;
      await sleep(quietIn, stopping);
    }
  };
  const derive = async (id: string, stopping: AbortSignal) => {
    if (stopping.aborted) return;
    await deriveStoredArticle({ db, documents, baseUrl }, { ...JOB_OPTIONS, articleId: id }).catch((error: unknown) => {
      if (stopping.aborted) return;
      if (isDatabaseUnavailable(error)) throw error;
      failed.add(id);
      log.warn({ err: error, articleId: id }, 'failed to derive an article; readers get it as its publish stored it');
    });
  };
  const deriveFresh = async (stopping: AbortSignal) => {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (const id of [...fresh].slice(0, BATCH)) {
      await waitForQuiet(deadline, stopping);
      fresh.delete(id);
      await derive(id, stopping);
    }
  };
  /** Derives an article of the sweep, or waits if other work is due. */
  const deriveFromSweep = async (stopping: AbortSignal): Promise<Pause> => {
    dueDeadline ??= performance.now() + MAX_WAIT_MS;
    if (performance.now() < dueDeadline && (await hasDueWork(db))) return { ms: DUE_CHECK_MS };
    const deadline = dueDeadline;
    dueDeadline = undefined;
    const id = await sweep.next(failed);
    if (id === null) return { ms: SWEEP_MS };
    await waitForQuiet(deadline, stopping);
    const startedAt = performance.now();
    await derive(id, stopping);
    return { ms: computeRestMs(performance.now() - startedAt) };
  };
  const loop = startLoop(async (stopping) => {
    try {
      if (fresh.size === 0) return await deriveFromSweep(stopping);
      await deriveFresh(stopping);
      return { ms: 0 };
    } catch (error) {
      log.warn({ err: error }, 'failed to read the articles to derive; the next sweep retries');
      return { ms: SWEEP_MS };
    }
  });

  return {
    nudge(articleId) {
      lastPublish = performance.now();
      if (fresh.size < MAX_FRESH) fresh.add(articleId);
      loop.nudge();
    },
    async stop() {
      const stopped = loop.stop();
      await documents.close();
      await stopped;
      // If this fails, the lease expires.
      await sweep.release().catch(() => undefined);
    },
  };
}

interface DeriveSweep {
  /**
   * Returns the id of the next article that is not in `except`; null if none remains or another
   * instance has the lease.
   */
  next(except: ReadonlySet<string>): Promise<string | null>;
  /** Lets another instance continue. */
  release(): Promise<void>;
}

/** Longer than a batch takes, unless the machine is fully loaded. */
const LEASE_MS = 120_000;
export const SWEEP = 'deriving texts';
/**
 * Share of wall-clock time spent deriving: on a busy machine an article takes longer, and so does
 * the pause after it.
 */
const TIME_SHARE = 1 / 5;
const MAX_PAUSE_MS = 10_000;

/**
 * Finds articles that are not derived yet: after a stop, an import, or an update of the renderer.
 * There may be hundreds of thousands. Their thread has a low priority, but the event loop and
 * PostgreSQL do not, so one instance derives them all and pauses after each one.
 */
export function createDeriveSweep(db: Database): DeriveSweep {
  const lease = { work: SWEEP, holder: randomUUID() };
  let batch: string[] = [];
  let isHolder = false;
  const release = async () => {
    batch = [];
    if (isHolder) await releaseLease(db, lease);
    isHolder = false;
  };
  return {
    async next(except) {
      if (batch.length === 0) {
        // Listed before the lease is taken: usually there is nothing, and after each publish the
        // lease would cost a disk write.
        const found = await listUnderived(db, { limit: BATCH, except: [...except] });
        if (found.length === 0) await release();
        else isHolder = await acquireLease(db, lease, LEASE_MS);
        if (!isHolder) return null;
        batch = found;
      }
      return batch.shift() ?? null;
    },
    release,
  };
}

/** Milliseconds to pause after an article that took `workedMs`. */
export function computeRestMs(workedMs: number): number {
  return Math.min(MAX_PAUSE_MS, workedMs * (1 / TIME_SHARE - 1));
}
