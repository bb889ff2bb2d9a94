/** Reads feeds and converts posts in threads: untrusted documents must not block the worker. */
import type { FeedBytes, FeedResult } from '../../article/import/feed/read-feed.ts';
import { createThreadPool, ThreadLimitError } from '../../runtime/threads/pool.ts';
import type { ArticleWithImages, ConvertedArticle, ImagesTask, PostTask, Task } from './worker.ts';

/** Processor time of the thread. */
const DEFAULT_TIME_LIMIT_MS = 20_000;
const WALL_LIMIT_MS = 60_000;
const MAX_WAIT_MS = 60_000;
/** Two, so that a slow document leaves one thread for others. Imports run in the background. */
const THREADS = 2;
const NICENESS = 10;

export interface ConversionPool {
  /** `busy`: the task was not started. An author uses at most one thread. */
  readFeed(authorId: string, feed: FeedBytes): Promise<FeedResult | 'busy'>;
  convert(authorId: string, post: PostTask): Promise<ConvertedArticle | 'busy'>;
  replaceImages(authorId: string, images: ImagesTask): Promise<ArticleWithImages | 'busy'>;
  close(): Promise<void>;
}

export function createConversionPool(options: { timeLimitMs?: number } = {}): ConversionPool {
  const threads = createThreadPool<Task, FeedResult | ConvertedArticle | ArticleWithImages>({
    filename: new URL('./worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: THREADS,
    timeLimitMs: options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS,
    wallLimitMs: WALL_LIMIT_MS,
    maxWaitMs: MAX_WAIT_MS,
    niceness: NICENESS,
  });
  const run = async (owner: string, task: Task) => {
    try {
      return await threads.run(owner, task);
    } catch (error) {
      if (!(error instanceof ThreadLimitError)) throw error;
      if (error.limit === 'wait') return 'busy';
      const problem = error.limit === 'time' ? 'takes too long' : 'takes too much memory';
      return { ok: false, code: 'too_complex', reason: `Reading it ${problem}.` } as const;
    }
  };
  return {
    readFeed: async (owner, feed) => (await run(owner, { feed })) as FeedResult | 'busy',
    convert: async (owner, post) => (await run(owner, post)) as ConvertedArticle | 'busy',
    replaceImages: async (owner, images) => (await run(owner, images)) as ArticleWithImages | 'busy',
    close: () => threads.close(),
  };
}
