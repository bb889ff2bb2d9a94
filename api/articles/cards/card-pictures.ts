/**
 * Caches the pictures of cards by content hash, in bounded memory. Concurrent requests for a card
 * share one drawing. A separate thread draws, so that no publish waits for it. The thread takes 75
 * to 150 MB for fonts and WebAssembly, and ends when idle.
 */
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Card, hashCard } from '../../../article/cards/card.ts';
import { createThreadPool, ThreadLimitError } from '../../../runtime/threads/pool.ts';
import type { CardTask } from './worker.ts';

/** About 200 cards. Drawing one again takes 0.03 s, so a disk cache would save little. */
const MAX_BYTES = 10 * 1024 * 1024;
/** An ordinary card takes 0.03 s; the first one of a thread takes 0.4 s more. */
const TIME_LIMIT_MS = 5_000;
const WALL_LIMIT_MS = 15_000;
/** A failure is cached too, so that not every request tries again. */
const FAILED = { ttlMs: 10 * 60_000, bytes: 200 };
/** Social networks stop waiting after about ten seconds. */
const MAX_WAIT_MS = 8_000;
const NICENESS = 5;

export interface CardPictures {
  /** Returns a PNG, or null if drawing fails or the thread is busy. */
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
    maxWaitMs: MAX_WAIT_MS,
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
        log.warn({ err: error, title: card.title }, 'cannot draw a card; showing the default card');
        return { picture: null };
      }
    },
  });
  return {
    get: async (card) => (await pictures.forceFetch(hashCard(card), { context: card })).picture,
    close: () => threads.destroy(),
  };
}
