/**
 * Derives articles after their publish (code highlighting, description), one at a time and at low
 * priority. Articles published by this instance come first. Those of the sweep follow when neither
 * the outbox nor a schedule is due.
 * Deriving an article again has the same result, so it may be interrupted at any point.
 */
import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../store/db/database.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import { hasDueWork } from '../../store/outbox/has-due-work.ts';
import { deriveStoredArticle } from '../documents/derive-stored.ts';
import { createDocumentPool } from '../documents/pool.ts';
import { computeRestMs, createDeriveSweep } from './derive-sweep.ts';

export interface Deriver {
  /** Reports an article that this instance published. */
  nudge(articleId: string): void;
  /** Aborts the article in progress, which stays as it was. */
  stop(): Promise<void>;
}

/** Articles that share one `MAX_WAIT_MS`. */
const BATCH = 20;
/** Beyond this number, the sweep finds published articles. */
const MAX_FRESH = 1_000;
/**
 * No article is started while publishes follow each other: even on an idle core it slows them down.
 */
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

export function startDeriver(deps: { db: Database; log: FastifyBaseLogger; baseUrl: string }): Deriver {
  const { db, log, baseUrl } = deps;
  const documents = createDocumentPool({ inBackground: true, maxThreads: 1, timeLimitMs: TIME_LIMIT_MS });
  const stopping = new AbortController();
  /** Failed for a reason outside the document. Derived again at their next read or restart. */
  const failed = new Set<string>();
  /** Published by this instance and not derived yet. */
  const fresh = new Set<string>();
  const sweep = createDeriveSweep(db);
  let nudgeController = new AbortController();
  let lastPublish = -QUIET_MS;

  /** Ends early after a publish. */
  const pause = async (ms: number) => {
    if (fresh.size > 0) return;
    nudgeController = new AbortController();
    await sleep(ms, AbortSignal.any([nudgeController.signal, stopping.signal]));
  };
  const waitForQuiet = async (until: number) => {
    for (;;) {
      const now = performance.now();
      const quietIn = Math.min(lastPublish + QUIET_MS, until) - now;
      if (quietIn <= 0 || stopping.signal.aborted) return;
      await sleep(quietIn, stopping.signal);
    }
  };
  const derive = async (id: string) => {
    if (stopping.signal.aborted) return;
    await deriveStoredArticle({ db, documents, baseUrl }, { ...JOB_OPTIONS, articleId: id }).catch((error: unknown) => {
      if (stopping.signal.aborted) return;
      if (isDatabaseUnavailable(error)) throw error;
      failed.add(id);
      log.warn({ err: error, articleId: id }, 'failed to derive an article; readers get it as its publish stored it');
    });
  };
  const deriveFresh = async () => {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (const id of [...fresh].slice(0, BATCH)) {
      await waitForQuiet(deadline);
      fresh.delete(id);
      await derive(id);
    }
  };
  /** Returns whether more articles may remain. */
  const deriveFromSweep = async (): Promise<boolean> => {
    const deadline = performance.now() + MAX_WAIT_MS;
    while (performance.now() < deadline && (await hasDueWork(db))) {
      await pause(DUE_CHECK_MS);
      if (fresh.size > 0 || stopping.signal.aborted) return true;
    }
    const id = await sweep.next(failed);
    if (id === null) return false;
    await waitForQuiet(deadline);
    const startedAt = performance.now();
    await derive(id);
    await pause(computeRestMs(performance.now() - startedAt));
    return true;
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const mayHaveMore = await (fresh.size > 0 ? deriveFresh().then(() => true) : deriveFromSweep()).catch(
        (error: unknown) => {
          log.warn({ err: error }, 'failed to read the articles to derive; the next sweep retries');
          return false;
        },
      );
      if (!mayHaveMore) await pause(SWEEP_MS);
    }
  })();

  return {
    nudge(articleId) {
      lastPublish = performance.now();
      if (fresh.size < MAX_FRESH) fresh.add(articleId);
      // Only once: a second `abort` would create another error at each publish.
      if (!nudgeController.signal.aborted) nudgeController.abort();
    },
    async stop() {
      stopping.abort();
      await documents.close();
      await running;
      // If this fails, the lease expires.
      await sweep.release().catch(() => undefined);
    },
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
