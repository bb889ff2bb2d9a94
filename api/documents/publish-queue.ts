/**
 * Queues the publishes of this instance. The database stores an author's publishes in sequence, so
 * more at once would only hold connections that others need. Excess publishes are rejected at once.
 */
import { createFairQueue, type QueueLoad, WaitedTooLongError } from '../../runtime/threads/fair-queue.ts';
import { ProblemError } from '../plugins/errors/problem.ts';

export interface PublishQueue {
  /** Runs `publish` when a slot is free. Throws a 503 (`DOCUMENTS_BUSY`) if too many wait. */
  run<T>(authorId: string, publish: () => Promise<T>): Promise<T>;
  load(): QueueLoad;
}

export const DOCUMENTS_BUSY = 'documents_busy';

/** Leaves some of the twenty database connections to readers. */
const MAX_CONCURRENT = 12;
/** An author has one thread; while one publish is rendered, others wait for the database. */
const MAX_CONCURRENT_PER_AUTHOR = 4;
/** One second of small articles, or three seconds on a busy machine. */
const MAX_QUEUED = 100;
/** With the wait for a thread and its limit, shorter than the claim of an idempotency key. */
const MAX_WAIT_MS = 5_000;
const RETRY_AFTER_S = 5;

export function createPublishQueue(): PublishQueue {
  const { run, load } = createFairQueue({
    maxRunning: MAX_CONCURRENT,
    maxRunningPerOwner: MAX_CONCURRENT_PER_AUTHOR,
    maxWaitMs: MAX_WAIT_MS,
    maxWaiting: MAX_QUEUED,
  });
  return {
    load,
    run: (authorId, publish) =>
      run(authorId, publish).catch((error: unknown) => {
        throw error instanceof WaitedTooLongError ? createDocumentsBusyProblem() : error;
      }),
  };
}

export function createDocumentsBusyProblem(): ProblemError {
  const detail =
    'Too many documents are being published, by this author or by others. Nothing was changed; send the request again.';
  return new ProblemError(503, DOCUMENTS_BUSY, detail, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
}
