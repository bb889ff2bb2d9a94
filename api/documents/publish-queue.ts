/**
 * The publishes that this instance has begun, and those that wait. Each author's go into the database one after the other, so more of them at once
 * would only hold connections that others need; and where more come than can be done, the last are told at once and not after all the others.
 */
import { createFairQueue, type QueueLoad, WaitedTooLongError } from '../../threads/fair-queue.ts';
import { ProblemError } from '../plugins/errors/problem.ts';

export interface PublishLine {
  /** Publishes when it is the author's turn. Throws `refuseBusy` where too many wait. */
  run<T>(authorId: string, publish: () => Promise<T>): Promise<T>;
  load(): QueueLoad;
}

export const DOCUMENTS_BUSY = 'documents_busy';

/** Of the twenty connections, some are left to readers. */
const AT_ONCE = 12;
/** One in a thread, and who follows it has its answer from the database meanwhile. */
const PER_AUTHOR = 4;
/** A second of small articles, on a busy machine three. */
const MOST_WAITING = 100;
/** With the wait for a thread and its own limit it is less than the claim of an idempotency key lasts. */
const LONGEST_WAIT_MS = 5_000;
const RETRY_AFTER_S = 5;

export function createPublishLine(): PublishLine {
  const { run, load } = createFairQueue({
    slots: AT_ONCE,
    perOwner: PER_AUTHOR,
    longestWaitMs: LONGEST_WAIT_MS,
    mostWaiting: MOST_WAITING,
  });
  return {
    load,
    run: (authorId, publish) =>
      run(authorId, publish).catch((error: unknown) => {
        throw error instanceof WaitedTooLongError ? refuseBusy() : error;
      }),
  };
}

export function refuseBusy(): ProblemError {
  const detail =
    'Too many documents are being published at the moment, of this author or of others. Nothing was changed; send the request again.';
  return new ProblemError(503, DOCUMENTS_BUSY, detail, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
}
