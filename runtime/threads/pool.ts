/**
 * A pool of threads for untrusted documents, so that none blocks the process or other work. Each
 * task has a time and a memory limit; an owner uses at most one thread; a wait that is too long
 * fails early enough for a retry.
 */
import { Piscina } from 'piscina';
import { createFairQueue, type QueueLoad, WaitedTooLongError } from './fair-queue.ts';
import { createTaskStart, type ReadProcessorMs, startLimitClock, type TaskStart, toProcessorMs } from './task-clock.ts';

const IDLE_TIMEOUT_MS = 20_000;
/** An ordinary article of 1 MiB needs about 300 MB. */
const MAX_HEAP_MB = 512;

/**
 * The limit that ended a task. `wait` is not caused by the task: no thread was free, or its thread
 * got too little of a processor.
 */
export class ThreadLimitError extends Error {
  readonly limit: 'wait' | 'time' | 'memory';

  constructor(limit: ThreadLimitError['limit']) {
    super(`the limit of ${limit} was reached`);
    this.name = 'ThreadLimitError';
    this.limit = limit;
  }
}

export interface ThreadPoolOptions {
  /** Its default export receives a task with `begun` and must call `markTaskStarted` first. */
  filename: string;
  /** Threads that stay warm; others start under load and end after it. */
  minThreads: 0 | 1;
  maxThreads: number;
  /** Processor time of one task, from its start. */
  timeLimitMs: number;
  /**
   * Elapsed time of one task, from its start; above `timeLimitMs`. A task that reaches it first was
   * delayed by a busy machine.
   */
  wallLimitMs: number;
  /** The maximum wait for a thread. */
  maxWaitMs: number;
  /** Added to the niceness of the process, on systems that support it per thread; default 0. */
  niceness?: number;
}

export interface ThreadPool<Task, Answer> {
  /** Throws `ThreadLimitError`, or the error of the task without its class. */
  run(owner: string, task: Task): Promise<Answer>;
  load(): QueueLoad;
  /** Finishes running tasks. */
  close(): Promise<void>;
  /** Aborts running tasks; their promises are rejected. */
  destroy(): Promise<void>;
}

export type InThread<Task> = Task & { begun: TaskStart };

export function createThreadPool<Task extends object, Answer>(options: ThreadPoolOptions): ThreadPool<Task, Answer> {
  const { filename, minThreads, maxThreads, timeLimitMs, wallLimitMs, maxWaitMs, niceness = 0 } = options;
  const threads = new Piscina<InThread<Task>, Answer>({
    filename,
    minThreads,
    maxThreads,
    idleTimeout: IDLE_TIMEOUT_MS,
    niceIncrement: niceness,
    // Its histograms are not used.
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  const queue = createFairQueue({ maxRunning: maxThreads, maxWaitMs });
  const limits = { timeMs: timeLimitMs, wallMs: wallLimitMs };
  const readProcessorMs: ReadProcessorMs = async (threadId) => {
    const thread = threads.threads.find((candidate) => candidate.threadId === threadId);
    if (!thread) throw new Error('the thread has ended');
    return toProcessorMs(await thread.cpuUsage());
  };

  const runInThread = async (task: Task): Promise<Answer> => {
    const begun = createTaskStart();
    const limit = new AbortController();
    const clock = startLimitClock(begun, limits, readProcessorMs, (reached) => limit.abort(reached));
    try {
      return await threads.run({ ...task, begun }, { signal: limit.signal });
    } catch (error) {
      if (limit.signal.aborted) throw new ThreadLimitError(limit.signal.reason === 'time' ? 'time' : 'wait');
      if (isOutOfMemory(error)) throw new ThreadLimitError('memory');
      throw error;
    } finally {
      clock.stop();
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
    close: () => threads.close({ force: true }),
    destroy: () => threads.destroy(),
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
