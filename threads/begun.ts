/** How a thread says that it has taken a task up: until then it waits for one, or still loads its code. */
import { threadId } from 'node:worker_threads';

/** The id of the thread, 0 until the task has begun; and the milliseconds of processor time that it had used by then. Shared by both sides. */
export type Begun = Int32Array<SharedArrayBuffer>;

const [THREAD, USED_BEFORE] = [0, 1];

export interface Limits {
  /** Of processor time: a thread that a busy machine keeps waiting is not slow. */
  timeMs: number;
  /** On the clock, whatever the thread got of it. */
  wallMs: number;
}

/** Milliseconds of processor time that a thread has used since it started. */
export type ReadUsed = (threadId: number) => Promise<number>;

export function createBegun(): Begun {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

/** The first thing that a thread does with a task. */
export function markBegun(begun: Begun): void {
  begun[USED_BEFORE] = toMs(process.threadCpuUsage());
  Atomics.store(begun, THREAD, threadId);
  Atomics.notify(begun, THREAD);
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
  let timer: NodeJS.Timeout | undefined;
  let lastResort: NodeJS.Timeout | undefined;
  let stopped = false;
  const checkIn = (ms: number) => {
    if (!stopped) timer = setTimeout(() => void check(), Math.max(ms, 10));
  };
  const check = async () => {
    // A thread that has ended cannot be asked; its task ends by itself.
    const used = await readUsed(begun[THREAD] as number).catch(() => 0);
    if (stopped) return;
    const left = timeMs - (used - (begun[USED_BEFORE] as number));
    if (left <= 0) end('time');
    else checkIn(left);
  };
  const start = () => {
    if (stopped) return;
    checkIn(timeMs);
    lastResort = setTimeout(() => end('wall'), wallMs);
  };
  const { async, value } = Atomics.waitAsync(begun, THREAD, 0);
  if (async) void value.then(start);
  else start();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(lastResort);
      // Ends the wait for a thread that never took the task up.
      Atomics.notify(begun, THREAD);
    },
  };
}
