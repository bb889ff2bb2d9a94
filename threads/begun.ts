/** How a thread says that it has taken a task up: until then it waits for one, or still loads its code. */
import { threadId } from 'node:worker_threads';

/**
 * The id of the thread, 0 until the task has begun; the milliseconds of processor time that it had used by then, and the time, by the clock that
 * all threads share. Nobody is told: whoever set the limits looks when one may have been reached, which for most tasks is never.
 */
export type Begun = Int32Array<SharedArrayBuffer>;

const [THREAD, USED_BEFORE, BEGUN_AT] = [0, 1, 2];

export interface Limits {
  /** Of processor time: a thread that a busy machine keeps waiting is not slow. */
  timeMs: number;
  /** On the clock, whatever the thread got of it. */
  wallMs: number;
}

/** Milliseconds of processor time that a thread has used since it started. */
export type ReadUsed = (threadId: number) => Promise<number>;

export function createBegun(): Begun {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
}

/** The first thing that a thread does with a task. */
export function markBegun(begun: Begun): void {
  begun[USED_BEFORE] = toMs(process.threadCpuUsage());
  begun[BEGUN_AT] = readClock();
  Atomics.store(begun, THREAD, threadId);
}

export function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/** Calls `end` with the limit that is reached first, counted from when the thread took the task up. Must be stopped in every case. */
export function startClock(
  begun: Begun,
  { timeMs, wallMs }: Limits,
  readUsed: ReadUsed,
  end: (reached: 'time' | 'wall') => void,
): { stop(): void } {
  let stopped = false;
  const check = async () => {
    const thread = Atomics.load(begun, THREAD);
    // Not taken up yet: even then it cannot have used its time before the next look.
    if (thread === 0) return lookIn(timeMs);
    const wallLeft = wallMs - ((readClock() - (begun[BEGUN_AT] as number)) | 0);
    if (wallLeft <= 0) return end('wall');
    // A thread that has ended cannot be asked; its task ends by itself.
    const used = await readUsed(thread).catch(() => 0);
    if (stopped) return;
    const left = timeMs - (used - (begun[USED_BEFORE] as number));
    if (left <= 0) end('time');
    else lookIn(Math.min(left, wallLeft));
  };
  let timer: NodeJS.Timeout;
  const lookIn = (ms: number) => {
    timer = setTimeout(() => void check(), Math.max(ms, 10));
  };
  lookIn(timeMs);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Milliseconds, in 32 bits: only differences mean anything. */
function readClock(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return (seconds * 1_000 + Math.floor(nanoseconds / 1e6)) | 0;
}
