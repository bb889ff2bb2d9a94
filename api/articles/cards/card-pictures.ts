/**
 * The pictures of cards, each drawn once for all who ask and kept by what it shows, in bounded memory. They are drawn in a thread of their own
 * that ends when nobody asks: its fonts and its WebAssembly take 75 to 150 MB, and a drawing must not keep a publish waiting.
 */
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Card, hashCard } from '../../../article/cards/card.ts';
import { createThreadPool, ThreadLimitError } from '../../../threads/pool.ts';
import type { CardTask } from './worker.ts';

/** Some two hundred cards. One is drawn again in 0.03 s, so a disk would not be faster by much. */
const MAX_BYTES = 10 * 1024 * 1024;
/** An ordinary card takes 0.03 s, the first one of a thread 0.4 s more. */
const TIME_LIMIT_MS = 5_000;
const WALL_LIMIT_MS = 15_000;
/** One that failed is not tried for everybody who asks. */
const FAILED = { ttlMs: 10 * 60_000, bytes: 200 };
/** Networks give up after some ten seconds. */
const LONGEST_WAIT_MS = 8_000;
const NICENESS = 5;

export interface CardPictures {
  /** A PNG; null where it cannot be drawn, or not now. */
  get(card: Card): Promise<Buffer | null>;
  close(): Promise<void>;
}

export function createCardPictures({ log }: { log: FastifyBaseLogger }): CardPictures {
  const threads = createThreadPool<CardTask, Uint8Array>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    timeLimitMs: TIME_LIMIT_MS,
    wallLimitMs: WALL_LIMIT_MS,
    longestWaitMs: LONGEST_WAIT_MS,
    niceness: NICENESS,
  });
  const pictures = new LRUCache<string, { picture: Buffer | null }, Card>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ picture }) => picture?.length ?? FAILED.bytes,
    async fetchMethod(hash, _stale, { context: card, options }) {
      try {
        return { picture: Buffer.from(await threads.run(hash, { card })) };
      } catch (error) {
        const wasBusy = error instanceof ThreadLimitError && error.limit === 'wait';
        options.ttl = wasBusy ? 1 : FAILED.ttlMs;
        log.warn({ err: error, title: card.title }, 'a card was not drawn; the site’s own is shown');
        return { picture: null };
      }
    },
  });
  return {
    get: async (card) => (await pictures.forceFetch(hashCard(card), { context: card })).picture,
    close: () => threads.destroy(),
  };
}
