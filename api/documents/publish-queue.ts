/**
 * Queues the publishes of this instance. The database stores an author's publishes in sequence, so
 * more at once would only hold connections that others need. Excess publishes are rejected at once.
 */
import { createFairQueue, type FairQueue, WaitedTooLongError } from '../../runtime/threads/fair-queue.ts';
import { DocumentsBusyError } from './pool.ts';

/** Throws `DocumentsBusyError` if too many wait. */
export type PublishQueue = FairQueue;

const LIMITS = {
  /** Leaves some of the twenty database connections to readers. */
  maxRunning: 12,
  /** An author has one thread; while one publish is rendered, others wait for the database. */
  maxRunningPerOwner: 4,
  /** One second of small articles, or three seconds on a busy machine. */
  maxWaiting: 100,
  /** With the wait for a thread and its limit, shorter than the claim of an idempotency key. */
  maxWaitMs: 5_000,
};

export function createPublishQueue(): PublishQueue {
  const { run, load } = createFairQueue(LIMITS);
  return {
    load,
    run: (authorId, publish) =>
      run(authorId, publish).catch((error: unknown) => {
        throw error instanceof WaitedTooLongError ? new DocumentsBusyError() : error;
      }),
  };
}
