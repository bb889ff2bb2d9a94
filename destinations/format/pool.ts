/**
 * Formats large articles in threads. Parsing and rendering one takes seconds, and the worker's event loop must not be
 * blocked meanwhile: it sends the heartbeats of all deliveries, and an attempt that loses its heartbeat ends unknown.
 * Threads are started for large articles and end after them.
 */
import { Piscina } from 'piscina';
import type { DeliverableArticle } from '../../article/types.ts';
import type { Destination, Formatted } from '../types.ts';
import { createFairQueue } from './fair-queue.ts';
import type { FormatTask } from './worker.ts';

/** The densest body of this size takes a few hundred milliseconds, an ordinary one ten. */
const AT_ONCE_BYTES = 8 * 1024;
/** Four times the API's own limit for a document. */
const DEFAULT_TIME_LIMIT_MS = 20_000;
const DEFAULT_LONGEST_WAIT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;
/** Two, so that a slow article leaves one thread to the others; an ordinary article of 1 MiB takes about 300 MB. */
const THREADS = 2;
const MAX_HEAP_MB = 512;

export interface FormatPool {
  /** `busy` where too many large articles are waiting; an author has one thread at most. Throws what a format throws. */
  format(destination: Destination, article: DeliverableArticle, authorId: string): Promise<Formatted<unknown> | 'busy'>;
  close(): Promise<void>;
}

export function createFormatPool(options: { timeLimitMs?: number; longestWaitMs?: number } = {}): FormatPool {
  const { timeLimitMs = DEFAULT_TIME_LIMIT_MS, longestWaitMs = DEFAULT_LONGEST_WAIT_MS } = options;
  const threads = new Piscina<FormatTask, Formatted<unknown>>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  const queue = createFairQueue(THREADS);

  const formatInThread = async ({ platform, label }: Destination, article: DeliverableArticle) => {
    const limit = AbortSignal.timeout(timeLimitMs);
    try {
      return await threads.run({ platform, article }, { signal: limit });
    } catch (error) {
      if (limit.aborted || isOutOfMemory(error)) return { payload: null, losses: [], refusal: refuseComplex(label) };
      throw error;
    }
  };

  return {
    async format(destination, article, authorId) {
      if (Buffer.byteLength(article.body) <= AT_ONCE_BYTES) return destination.format(article);
      const { promise: tooLate, resolve } = Promise.withResolvers<'busy'>();
      let state: 'waiting' | 'working' | 'given up' = 'waiting';
      const giveUp = setTimeout(() => {
        if (state !== 'waiting') return;
        state = 'given up';
        resolve('busy');
      }, longestWaitMs);
      const formatted = queue.run(authorId, async () => {
        if (state === 'given up') return 'busy';
        state = 'working';
        return formatInThread(destination, article);
      });
      return Promise.race([formatted, tooLate]).finally(() => clearTimeout(giveUp));
    },
    close: () => threads.close({ force: true }),
  };
}

function refuseComplex(label: string) {
  const message = `The article takes too long to format for ${label}: shorten it or split it up.`;
  return { code: 'too_complex', message };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
