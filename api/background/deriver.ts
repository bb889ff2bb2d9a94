/**
 * Derives articles after their publish: colours their code and describes their text, one at a time and at the lowest priority, so that no
 * publish waits for it. It is nudged by a publish and sweeps for what was left behind: by an instance that stopped, by a version of the
 * renderer before this one. Several instances may derive the same article, which does no harm.
 */
import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { listUnderived } from '../../store/articles/derived.ts';
import type { Database } from '../../store/db/database.ts';
import { isDatabaseUnavailable } from '../../store/db/pg-errors.ts';
import { deriveStored } from '../documents/derive-stored.ts';
import { createDocumentPool } from '../documents/pool.ts';

export interface Deriver {
  /** An article was published. */
  nudge(): void;
  /** Ends the one in progress, which stays as it was. */
  stop(): Promise<void>;
}

const BATCH = 20;
/** Nothing is begun while publishes follow each other: even an idle core that it takes slows the others down. */
const QUIET_MS = 500;
/** So long at most, after which a batch is derived whatever comes. */
const PATIENCE_MS = 30_000;
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
  let wake: () => void = () => undefined;
  let lastPublish = -QUIET_MS;

  const waitForQuiet = async (until: number) => {
    for (;;) {
      const now = performance.now();
      const quietIn = Math.min(lastPublish + QUIET_MS, until) - now;
      if (quietIn <= 0 || stopping.signal.aborted) return;
      await sleep(quietIn, stopping.signal);
    }
  };
  const deriveBatch = async (): Promise<number> => {
    const patience = performance.now() + PATIENCE_MS;
    await waitForQuiet(patience);
    const ids = await listUnderived(db, { limit: BATCH, except: [...failed] });
    for (const id of ids) {
      await waitForQuiet(patience);
      if (stopping.signal.aborted) break;
      await deriveStored({ db, documents, baseUrl }, { ...LAST, articleId: id }).catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        if (isDatabaseUnavailable(error)) throw error;
        failed.add(id);
        log.warn(
          { err: error, articleId: id },
          'an article was not derived; readers are shown it as its publish left it',
        );
      });
    }
    return ids.length;
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const nudge = new AbortController();
      // Once: a second `abort` would make an error of its own, at each publish.
      wake = () => {
        wake = () => undefined;
        nudge.abort();
      };
      const found = await deriveBatch().catch((error: unknown) => {
        log.warn({ err: error }, 'articles to derive could not be listed; the next sweep tries again');
        return 0;
      });
      if (found === BATCH) continue;
      await sleep(SWEEP_MS, AbortSignal.any([nudge.signal, stopping.signal]));
    }
  })();

  return {
    nudge() {
      lastPublish = performance.now();
      wake();
    },
    async stop() {
      stopping.abort();
      await documents.close();
      await running;
    },
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
