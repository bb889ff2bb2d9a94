/**
 * Threads for work on documents of strangers, so that none can stall the process or the work of others: each task has a time limit and a
 * memory limit, and ends alone; an owner has one thread at most; and who waits too long is told, while there is still time to try again.
 */
import { Piscina } from 'piscina';
import { type Begun, createBegun, type ReadUsed, startClock, toMs } from './begun.ts';
import { createFairQueue, type QueueLoad, WaitedTooLongError } from './fair-queue.ts';
import { createRest } from './rest.ts';

const IDLE_TIMEOUT_MS = 20_000;
/** Then the thread that is kept is alone, and nobody has needed it for a while. */
const REST_AFTER_MS = 30_000;
/** An ordinary article of 1 MiB takes about 300 MB. */
const MAX_HEAP_MB = 512;

/** Which limit ended a task. `wait` is no fault of the task: there was no thread for it, or too little of a processor for its thread. */
export class ThreadLimitError extends Error {
  readonly limit: 'wait' | 'time' | 'memory';

  constructor(limit: ThreadLimitError['limit']) {
    super(`the limit of ${limit} was reached`);
    this.name = 'ThreadLimitError';
    this.limit = limit;
  }
}

export interface ThreadPoolOptions {
  /** Its default export takes a task with `begun`, and marks that first. */
  filename: string;
  /** Kept warm; more are started under load and end after it. Of a file whose threads are kept, `rest` is called once there has been nothing to do. */
  minThreads: 0 | 1;
  maxThreads: number;
  /** Of processor time, for one task, from the moment a thread takes it up. */
  timeLimitMs: number;
  /** On the clock, from the same moment; above `timeLimitMs`. Whoever reaches it first was kept waiting by a busy machine. */
  wallLimitMs: number;
  /** For a place among the threads. */
  longestWaitMs: number;
  /** Added to that of the process, where the system knows priorities of threads; 0 where it is not given. */
  niceness?: number;
  /** 30,000 where it is not given. */
  restAfterMs?: number;
}

export interface ThreadPool<Task, Answer> {
  /** Throws `ThreadLimitError`, and what the task throws (whose class is lost between threads). */
  run(owner: string, task: Task): Promise<Answer>;
  load(): QueueLoad;
  /** Finishes what has begun. */
  close(): Promise<void>;
  /** Ends what has begun; its promise is rejected. */
  destroy(): Promise<void>;
}

export type InThread<Task> = Task & { begun: Begun };

export function createThreadPool<Task extends object, Answer>(options: ThreadPoolOptions): ThreadPool<Task, Answer> {
  const { filename, minThreads, maxThreads, timeLimitMs, wallLimitMs, longestWaitMs } = options;
  const { niceness = 0, restAfterMs = REST_AFTER_MS } = options;
  const threads = new Piscina<InThread<Task>, Answer>({
    filename,
    minThreads,
    maxThreads,
    idleTimeout: IDLE_TIMEOUT_MS,
    niceIncrement: niceness,
    // Nobody reads its histograms.
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  const queue = createFairQueue({ slots: maxThreads, longestWaitMs });
  const limits = { timeMs: timeLimitMs, wallMs: wallLimitMs };
  const readUsed: ReadUsed = async (threadId) => {
    const thread = threads.threads.find((one) => one.threadId === threadId);
    if (!thread) throw new Error('the thread has ended');
    return toMs(await thread.cpuUsage());
  };

  // A task that comes meanwhile waits some 50 ms, or goes to another thread.
  const letRest = () => void threads.run(undefined as never, { name: 'rest' }).catch(ignoreEnded);
  const rest = minThreads > 0 ? createRest(letRest, restAfterMs) : undefined;

  const runInThread = async (task: Task): Promise<Answer> => {
    const begun = createBegun();
    const limit = new AbortController();
    const clock = startClock(begun, limits, readUsed, (reached) => limit.abort(reached));
    rest?.begin();
    try {
      return await threads.run({ ...task, begun }, { signal: limit.signal });
    } catch (error) {
      if (limit.signal.aborted) throw new ThreadLimitError(limit.signal.reason === 'time' ? 'time' : 'wait');
      if (isOutOfMemory(error)) throw new ThreadLimitError('memory');
      throw error;
    } finally {
      clock.stop();
      rest?.end();
    }
  };

  return {
    run: (owner, task) =>
      queue
        .run(owner, () => runInThread(task))
        .catch((error: unknown) => {
          throw error instanceof WaitedTooLongError ? new ThreadLimitError('wait') : error;
        }),
    load: queue.load,
    close() {
      rest?.stop();
      return threads.close({ force: true });
    },
    destroy() {
      rest?.stop();
      return threads.destroy();
    },
  };
}

function ignoreEnded(): void {
  // The pool closes, or the thread is gone with what it held.
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
