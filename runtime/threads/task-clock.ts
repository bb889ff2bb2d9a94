/**
 * Shared memory in which a thread marks the start of its task, and the clock that enforces the
 * limits of the task.
 */
import { threadId } from 'node:worker_threads';

/**
 * The id of the thread (0 before the start), its processor time at the start in milliseconds, and
 * the start on the shared clock. Nothing is sent: the clock reads it only when a limit may be
 * reached, which is rare.
 */
export type TaskStart = Int32Array<SharedArrayBuffer>;

const [THREAD, USED_BEFORE, STARTED_AT] = [0, 1, 2];

export interface Limits {
  /** Processor time. A thread that waits on a busy machine is not slow. */
  timeMs: number;
  /** Elapsed time, even if the thread got little processor time. */
  wallMs: number;
}

/** Returns the processor time in milliseconds that a thread has used since its start. */
export type ReadProcessorMs = (threadId: number) => Promise<number>;

export function createTaskStart(): TaskStart {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/** A thread calls this first for each task. */
export function markTaskStarted(taskStart: TaskStart): void {
  taskStart[USED_BEFORE] = toProcessorMs(process.threadCpuUsage());
  taskStart[STARTED_AT] = readClock();
  Atomics.store(taskStart, THREAD, threadId);
}

export function toProcessorMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/**
 * Calls `end` with the first limit that is reached, counted from the start of the task. Must always
 * be stopped.
 */
export function startLimitClock(
  taskStart: TaskStart,
  { timeMs, wallMs }: Limits,
  readProcessorMs: ReadProcessorMs,
  end: (reached: 'time' | 'wall') => void,
): { stop(): void } {
  let isStopped = false;
  const check = async () => {
    const thread = Atomics.load(taskStart, THREAD);
    // Not started. It cannot reach the limit before the next check.
    if (thread === 0) return checkIn(timeMs);
    const wallRemaining = wallMs - ((readClock() - (taskStart[STARTED_AT] as number)) | 0);
    if (wallRemaining <= 0) return end('wall');
    // The usage of an ended thread is not readable; its task ends by itself.
    const used = await readProcessorMs(thread).catch(() => 0);
    if (isStopped) return;
    const remaining = timeMs - (used - (taskStart[USED_BEFORE] as number));
    if (remaining <= 0) end('time');
    else checkIn(Math.min(remaining, wallRemaining));
  };
  let timer: NodeJS.Timeout;
  const checkIn = (ms: number) => {
    timer = setTimeout(() => void check(), Math.max(ms, 10));
  };
  checkIn(timeMs);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Milliseconds as a 32-bit integer. Only differences have a meaning. */
function readClock(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return (seconds * 1_000 + Math.floor(nanoseconds / 1e6)) | 0;
}
