/**
 * Derives articles after their publish: colours their code and describes their text, one at a time and at the lowest priority, so that no
 * publish waits for it. What this instance has published comes at once; what was left behind (derive-sweep.ts) comes when nothing is due, with a
 * rest after each. A text that is derived twice is the same, so being cut anywhere does no harm.
 */
import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../store/db/database.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import { isAnythingDue } from '../../store/outbox/is-anything-due.ts';
import { deriveStored } from '../documents/derive-stored.ts';
import { createDocumentPool } from '../documents/pool.ts';
import { createDeriveSweep, restAfter } from './derive-sweep.ts';

export interface Deriver {
  /** An article was published here. */
  nudge(articleId: string): void;
  /** Ends the one in progress, which stays as it was. */
  stop(): Promise<void>;
}

/** Of those that wait for quiet together. */
const BATCH = 20;
/** What is published beyond it is found by the sweep. */
const MOST_FRESH = 1_000;
/** Nothing is begun while publishes follow each other: even an idle core that it takes slows the others down. */
const QUIET_MS = 500;
/** So long at most, after which they are derived whatever comes. */
const PATIENCE_MS = 30_000;
/** Until it is asked again whether anything is due. */
const DUE_MS = 1_000;
const SWEEP_MS = 60_000;
/** Long, because at this priority a busy machine gives it little. */
const TIME_LIMIT_MS = 120_000;
/** Nobody has more time for a text. */
const LAST = { owner: 'deriver', whenTooComplex: 'describe briefly' } as const;

export function startDeriver(deps: { db: Database; log: FastifyBaseLogger; baseUrl: string }): Deriver {
  const { db, log, baseUrl } = deps;
  const documents = createDocumentPool({ inBackground: true, maxThreads: 1, timeLimitMs: TIME_LIMIT_MS });
  const stopping = new AbortController();
  /** Failed for a reason that is not in the document; they are tried again when they are read, and by the next process. */
  const failed = new Set<string>();
  /** Published here, and not derived yet. */
  const fresh = new Set<string>();
  const sweep = createDeriveSweep(db);
  let nudged = new AbortController();
  let lastPublish = -QUIET_MS;

  /** Ends early where something is published. */
  const pause = async (ms: number) => {
    if (fresh.size > 0) return;
    nudged = new AbortController();
    await sleep(ms, AbortSignal.any([nudged.signal, stopping.signal]));
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
    await deriveStored({ db, documents, baseUrl }, { ...LAST, articleId: id }).catch((error: unknown) => {
      if (stopping.signal.aborted) return;
      if (isDatabaseUnavailable(error)) throw error;
      failed.add(id);
      log.warn(
        { err: error, articleId: id },
        'an article was not derived; readers are shown it as its publish left it',
      );
    });
  };
  const deriveFresh = async () => {
    const patience = performance.now() + PATIENCE_MS;
    for (const id of [...fresh].slice(0, BATCH)) {
      await waitForQuiet(patience);
      fresh.delete(id);
      await derive(id);
    }
  };
  /** Returns whether there may be more. */
  const deriveLeftBehind = async (): Promise<boolean> => {
    const patience = performance.now() + PATIENCE_MS;
    while (performance.now() < patience && (await isAnythingDue(db))) {
      await pause(DUE_MS);
      if (fresh.size > 0 || stopping.signal.aborted) return true;
    }
    const id = await sweep.next(failed);
    if (id === null) return false;
    await waitForQuiet(patience);
    const begun = performance.now();
    await derive(id);
    await pause(restAfter(performance.now() - begun));
    return true;
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const mayHaveMore = await (fresh.size > 0 ? deriveFresh().then(() => true) : deriveLeftBehind()).catch(
        (error: unknown) => {
          log.warn({ err: error }, 'articles to derive could not be read; the next sweep tries again');
          return false;
        },
      );
      if (!mayHaveMore) await pause(SWEEP_MS);
    }
  })();

  return {
    nudge(articleId) {
      lastPublish = performance.now();
      if (fresh.size < MOST_FRESH) fresh.add(articleId);
      // Once: a second `abort` would make an error of its own, at each publish.
      if (!nudged.signal.aborted) nudged.abort();
    },
    async stop() {
      stopping.abort();
      await documents.close();
      await running;
      // It expires by itself where this is too late.
      await sweep.release().catch(() => undefined);
    },
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
