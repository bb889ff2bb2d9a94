/**
 * Formats large articles in threads. Rendering one takes seconds. On the worker's event loop it
 * would stop the heartbeats of all deliveries, and an attempt without heartbeats ends as unknown.
 */
import type { DeliverableArticle } from '../../article/types.ts';
import { createThreadPool, ThreadLimitError } from '../../runtime/threads/pool.ts';
import type { Destination, Formatted, RefusalNotice } from '../types.ts';
import type { FormatTask } from './worker.ts';

/** The densest body of this size takes a few hundred milliseconds, an ordinary one ten. */
const MAX_INLINE_BYTES = 8 * 1024;
/** Three times the API's own limit for a document. */
const DEFAULT_TIME_LIMIT_MS = 15_000;
/** Wall-clock time, a part of `callMs` in `delivery/timeouts.ts`. */
const WALL_LIMIT_MS = 20_000;
const DEFAULT_MAX_WAIT_MS = 10_000;
/** Two, so that a slow article leaves one thread free. */
const THREADS = 2;

export interface FormatPool {
  /** `busy` if too many articles are queued. An author uses at most one thread. */
  format(destination: Destination, article: DeliverableArticle, authorId: string): Promise<Formatted<unknown> | 'busy'>;
  close(): Promise<void>;
}

export function createFormatPool(options: { timeLimitMs?: number; maxWaitMs?: number } = {}): FormatPool {
  const threads = createThreadPool<FormatTask, Formatted<unknown>>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: THREADS,
    timeLimitMs: options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS,
    wallLimitMs: WALL_LIMIT_MS,
    maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
  });
  return {
    async format(destination, article, authorId) {
      if (Buffer.byteLength(article.body) <= MAX_INLINE_BYTES) return destination.format(article);
      const { platform, label } = destination;
      try {
        return await threads.run(authorId, { platform, article });
      } catch (error) {
        if (!(error instanceof ThreadLimitError)) throw error;
        return error.limit === 'wait' ? 'busy' : { payload: null, losses: [], refusal: refuseComplex(label) };
      }
    },
    close: () => threads.close(),
  };
}

function refuseComplex(label: string): RefusalNotice {
  const message = `Formatting the article for ${label} takes too long. Shorten it, or split it into several articles.`;
  return { code: 'too_complex', message };
}
