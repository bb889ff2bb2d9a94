/** A thread whose task takes time with no or full use of the processor. */
import { markBegun, toMs } from '../../../threads/begun.ts';
import type { InThread } from '../../../threads/pool.ts';

export interface TimedTask {
  idleMs: number;
  busyMs: number;
}

export default function runTimed({ begun, idleMs, busyMs }: InThread<TimedTask>): string {
  markBegun(begun);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, idleMs);
  const before = toMs(process.threadCpuUsage());
  while (toMs(process.threadCpuUsage()) - before < busyMs);
  return 'done';
}
